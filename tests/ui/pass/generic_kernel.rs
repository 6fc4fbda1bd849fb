//! Type and constant parameters, bounds, a `where` clause, and a function as argument.

use threadwise::prelude::*;

#[kernel]
pub fn map<T, F, const N: usize>(x: &[T], mut y: DisjointSlice<[T; N]>, f: F)
where
    T: DeviceCopy,
    F: Fn(T, usize) -> T + Copy,
{
    let at = thread::index_1d();
    if let Some(y) = y.get_mut(at) {
        *y = std::array::from_fn(|i| f(x[at.get()], i));
    }
}

fn main() {
    let device = Device::simulator().unwrap();
    let x = device.to_device(&[1u32, 2]).unwrap();
    let mut y = device.zeros::<[u32; 3]>(2).unwrap();
    let add = 10;
    map(&x, &mut y, move |v, i| v + i as u32 + add).over(2).launch().unwrap();
    assert_eq!(y.to_host().unwrap(), [[11, 12, 13], [12, 13, 14]]);
}
