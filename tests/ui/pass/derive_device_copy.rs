#![forbid(unsafe_code)]
#![deny(warnings)]
use threadwise::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
struct Unit;

#[derive(Clone, Copy, DeviceCopy)]
struct Tuple(f32, [u8; 3], Unit);

#[derive(Clone, Copy, DeviceCopy)]
struct Generic<T, const N: usize>
where
    T: PartialEq,
{
    values: [T; N],
    maybe: Option<T>,
}

#[derive(Clone, Copy, DeviceCopy)]
enum Shape {
    Empty,
    Circle(f32),
    Square { side: f32 },
}

fn is_device_copy<T: DeviceCopy>(_: T) {}

fn main() {
    is_device_copy(Tuple(1.0, [0; 3], Unit));
    is_device_copy(Generic { values: [1u8, 2], maybe: None });
    for shape in [Shape::Empty, Shape::Circle(1.0), Shape::Square { side: 1.0 }] {
        is_device_copy(shape);
        let (Shape::Empty | Shape::Circle(_) | Shape::Square { side: _ }) = shape;
    }
    let Tuple(..) = Tuple(1.0, [0; 3], Unit);
    let Generic { values: _, maybe: _ } = Generic { values: [1u8], maybe: Some(2) };
}
