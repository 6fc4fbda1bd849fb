//! Who refers to whom: functions, through instructions and through constants such as vtables.

use std::collections::{HashMap, HashSet, VecDeque};

use super::names::demangle;
use crate::llvm::{Function, Instruction, Module, Value};

/// References between functions.
pub(crate) struct Graph<'c> {
    /// For each function the functions it refers to, with the instruction that does.
    edges: HashMap<Function<'c>, Vec<(Function<'c>, Instruction<'c>)>>,
    /// For each function the thread-local variables it refers to.
    thread_locals: HashMap<Function<'c>, Vec<(String, Instruction<'c>)>>,
}

impl<'c> Graph<'c> {
    pub(crate) fn of(module: &Module<'c>) -> Self {
        let mut graph = Graph { edges: HashMap::new(), thread_locals: HashMap::new() };
        let mut constants = HashMap::new();
        for function in module.functions() {
            for instruction in function.instructions() {
                for operand in instruction.value().operands() {
                    graph.add(function, instruction, operand, &mut constants);
                }
            }
        }
        graph
    }

    fn add(
        &mut self,
        from: Function<'c>,
        instruction: Instruction<'c>,
        operand: Value<'c>,
        constants: &mut HashMap<Value<'c>, Vec<Function<'c>>>,
    ) {
        if operand.as_instruction().is_some() {
            return;
        }
        if let Some(global) = operand.as_global()
            && global.is_thread_local()
        {
            self.thread_locals.entry(from).or_default().push((operand.name(), instruction));
        }
        for to in functions_in(operand, constants) {
            self.edges.entry(from).or_default().push((to, instruction));
        }
    }

    /// `from` and every function it leads to.
    pub(crate) fn reachable(&self, from: Function<'c>) -> HashSet<Function<'c>> {
        let mut seen = HashSet::from([from]);
        let mut open = vec![from];
        while let Some(function) = open.pop() {
            for &(to, _) in self.edges.get(&function).into_iter().flatten() {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    }

    pub(crate) fn thread_locals(&self, function: Function<'c>) -> &[(String, Instruction<'c>)] {
        self.thread_locals.get(&function).map_or(&[], Vec::as_slice)
    }

    /// What `function` refers to directly.
    pub(crate) fn references(&self, function: Function<'c>) -> &[(Function<'c>, Instruction<'c>)] {
        self.edges.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The shortest chain of calls from `from`, the entry of `kernel`, to `to`, a line each: who is called, where.
    pub(crate) fn chain(&self, from: Function<'c>, to: Function<'c>, kernel: &str) -> Option<String> {
        let mut parents: HashMap<Function<'c>, (Function<'c>, Instruction<'c>)> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(function) = open.pop_front() {
            if function == to {
                return Some(Self::describe(from, to, &parents, kernel));
            }
            for &(next, instruction) in self.references(function) {
                if next != from && !parents.contains_key(&next) {
                    parents.insert(next, (function, instruction));
                    open.push_back(next);
                }
            }
        }
        None
    }

    fn describe(
        from: Function<'c>,
        to: Function<'c>,
        parents: &HashMap<Function<'c>, (Function<'c>, Instruction<'c>)>,
        kernel: &str,
    ) -> String {
        let mut lines = Vec::new();
        let mut function = to;
        while function != from {
            let Some(&(parent, instruction)) = parents.get(&function) else { break };
            let name = demangle(&function.value().name());
            // The step from the entry to the kernel's own body is ours, not the user's.
            if parent != from || !name.starts_with(kernel) {
                let place = instruction.place().map_or_else(String::new, |place| format!(" at {place}"));
                lines.push(format!("  calls `{name}`{place}"));
            }
            function = parent;
        }
        lines.reverse();
        lines.join("\n")
    }
}

/// The functions that `value` is or holds.
fn functions_in<'c>(value: Value<'c>, known: &mut HashMap<Value<'c>, Vec<Function<'c>>>) -> Vec<Function<'c>> {
    if let Some(function) = value.as_function() {
        return vec![function];
    }
    if let Some(found) = known.get(&value) {
        return found.clone();
    }
    known.insert(value, Vec::new());
    let parts = match value.as_global() {
        Some(global) if global.value().is_declaration() => Vec::new(),
        Some(global) => global.initializer().into_iter().collect(),
        None if value.is_constant_aggregate() => value.operands(),
        None => Vec::new(),
    };
    let mut found: Vec<Function<'c>> = parts.into_iter().flat_map(|part| functions_in(part, known)).collect();
    found.sort_unstable();
    found.dedup();
    known.insert(value, found.clone());
    found
}
