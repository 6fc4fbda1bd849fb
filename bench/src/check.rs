//! Small problems against the host's own results in double precision.

use std::process::ExitCode;

use threadwise::Device;

use crate::Result;
use crate::cases::{self, Case, NAMES, Scale};
use crate::measure::peer_output;
use crate::options::Options;
use crate::peer::Peer;

pub(crate) fn run(device: &Device, peer: Option<&Peer>, options: &Options) -> Result<ExitCode> {
    println!("largest difference from the host's result, as a fraction of its largest value");
    let mut passed = true;
    for name in NAMES.into_iter().filter(|name| options.wants(name)) {
        let mut case = cases::prepare(name, device, Scale::Small)?;
        let reference = case.reference();
        case.reset()?;
        case.launch()?;
        let ours = case.output()?;
        passed &= verdict(name, "threadwise", case.as_ref(), &ours, &reference);
        if let Some(peer) = peer {
            let theirs = peer_output(device, peer, case.as_mut())?;
            passed &= verdict(name, "CUDA C++", case.as_ref(), &theirs, &reference);
        }
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn verdict(name: &str, side: &str, case: &dyn Case, got: &[f32], want: &[f64]) -> bool {
    let largest = want.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let difference = |(&got, &want): (&f32, &f64)| (f64::from(got) - want).abs();
    // `max` drops a NaN: it must not pass.
    let worst = got.iter().zip(want).map(difference).fold(0.0, |a: f64, b| if b.is_nan() { f64::INFINITY } else { a.max(b) });
    let relative = worst / largest;
    let passed = got.len() == want.len() && relative <= case.tolerance();
    let word = if passed { "ok" } else { "FAILED" };
    println!("{name:<8} {side:<11} {:<18} {relative:.1e} (at most {:.1e}) {word}", case.size(), case.tolerance());
    passed
}
