use threadwise::prelude::*;

#[kernel]
fn mixed(line: DisjointSlice<f32>, plane: DisjointSlice2D<f32>) {
    let _ = (line.len(), plane.rows());
}

fn main() {}
