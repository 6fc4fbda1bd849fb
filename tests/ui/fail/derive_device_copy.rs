use threadwise::prelude::*;

#[derive(Clone, Copy)]
struct Plain;

#[derive(Clone, Copy, DeviceCopy)]
struct Field {
    good: f32,
    bad: Plain,
}

#[derive(Clone, Copy, DeviceCopy)]
enum Variant {
    Good(u32),
    Bad(&'static str),
}

#[derive(Clone, Copy, DeviceCopy)]
struct Pointer(*const f32);

#[derive(Clone, Copy, DeviceCopy)]
struct Borrows<'a>(core::marker::PhantomData<&'a u8>);

#[derive(Clone, Copy, DeviceCopy)]
union Either {
    a: u32,
    b: f32,
}

#[derive(Clone, DeviceCopy)]
struct NotCopy(u32);

fn main() {}
