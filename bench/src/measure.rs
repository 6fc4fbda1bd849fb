//! The clock: CUDA events around one launch, ours and theirs in turn.

use threadwise::Device;

use crate::Result;
use crate::cases::{self, Case, NAMES, Scale};
use crate::options::Options;
use crate::peer::Peer;

/// Untimed launches of each side: the driver compiles, caches fill, clocks rise.
const WARM_UP: usize = 5;

/// What came out for one kernel. Times are medians in milliseconds.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) size: String,
    pub(crate) ours: f64,
    pub(crate) theirs: Option<Comparison>,
}

/// The CUDA C++ side.
pub(crate) struct Comparison {
    pub(crate) time: f64,
    /// Largest difference of the results.
    pub(crate) difference: f64,
    /// The same as a fraction of the largest value.
    pub(crate) relative: f64,
}

pub(crate) fn run(device: &Device, peer: Option<&Peer>, options: &Options) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for name in NAMES.into_iter().filter(|name| options.wants(name)) {
        let mut case = cases::prepare(name, device, Scale::Large)?;
        let (difference, relative) = match peer {
            Some(peer) => compare(device, peer, case.as_mut())?,
            None => (0.0, 0.0),
        };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..WARM_UP + options.launches {
            ours.push(time_ours(device, case.as_mut())?);
            if let Some(peer) = peer {
                theirs.push(time_theirs(peer, case.as_ref())?);
            }
        }
        let theirs = peer.map(|_| Comparison { time: median(&theirs[WARM_UP..]), difference, relative });
        rows.push(Row { name, size: case.size(), ours: median(&ours[WARM_UP..]), theirs });
        eprintln!("{name}: done");
    }
    Ok(rows)
}

/// One launch. Another before it keeps the GPU busy until launch and events are enqueued, so that the host's work is not in the time.
fn time_ours(device: &Device, case: &mut dyn Case) -> Result<f64> {
    let stream = device.default_stream();
    case.launch()?;
    let start = stream.record()?;
    case.launch()?;
    let end = stream.record()?;
    Ok(start.elapsed(&end)?)
}

/// The same for the CUDA C++ kernel.
fn time_theirs(peer: &Peer, case: &dyn Case) -> Result<f64> {
    let launch = case.peer_launch();
    // SAFETY: each case describes its own kernel and buffers, and the other side's launches were waited for.
    unsafe { peer.launch(&launch) }?;
    let start = peer.record()?;
    // SAFETY: as above.
    unsafe { peer.launch(&launch) }?;
    let end = peer.record()?;
    start.elapsed(&end)
}

/// What the CUDA C++ kernel gives.
pub(crate) fn peer_output(device: &Device, peer: &Peer, case: &mut dyn Case) -> Result<Vec<f32>> {
    case.reset()?;
    device.synchronize()?;
    // SAFETY: the case describes its own kernel and buffers, and nothing else runs.
    unsafe { peer.launch(&case.peer_launch()) }?;
    peer.synchronize()?;
    case.output()
}

/// The largest difference of the two sides' results, and that as a fraction of the largest value.
fn compare(device: &Device, peer: &Peer, case: &mut dyn Case) -> Result<(f64, f64)> {
    case.reset()?;
    case.launch()?;
    let ours = case.output()?;
    let theirs = peer_output(device, peer, case)?;
    let (mut difference, mut largest) = (0.0f64, 0.0f64);
    for (&ours, &theirs) in ours.iter().zip(&theirs) {
        let apart = (f64::from(ours) - f64::from(theirs)).abs();
        // `max` drops a NaN: it must show.
        difference = if apart.is_nan() { f64::INFINITY } else { difference.max(apart) };
        largest = largest.max(f64::from(theirs).abs());
    }
    Ok((difference, difference / largest))
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], sorted[middle]) } else { sorted[middle] }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn median_is_the_middle_or_the_mean_of_both() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
