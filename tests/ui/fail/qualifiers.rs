use threadwise::prelude::*;

#[kernel]
async fn waits() {}

#[kernel]
const fn constant() {}

#[kernel]
extern "C" fn foreign() {}

#[kernel]
struct NotAFunction;

trait Trait {
    #[kernel]
    fn without_body();
}

fn main() {}
