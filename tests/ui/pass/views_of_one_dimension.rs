use threadwise::prelude::*;

#[kernel]
fn alike(line: DisjointSlice<f32>, other: DisjointSlice<u32>, x: &[f32]) {
    let _ = (line.len(), other.len(), x);
}

fn main() {}
