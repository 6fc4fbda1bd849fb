//! Which threads failed, as a picture: a row for each warp.

use std::fmt::Write;

use threadwise_abi::WARP_SIZE;
use threadwise_host::Dim3;

/// Rows that are drawn.
const MOST_ROWS: usize = 16;

/// A warp that has failed threads, drawn.
#[derive(PartialEq, Eq)]
struct Row {
    block: usize,
    warp: usize,
    lanes: String,
}

/// Draws the warps with failed threads. `failed` has a value for each thread, in order of blocks and of threads in a block.
pub(super) fn draw(failed: &[bool], grid: Dim3, block: Dim3) -> String {
    let mut text = String::from("failed threads (#), a row for each warp:\n");
    let rows = rows(failed, block.count() as usize);
    let mut i = 0;
    let mut drawn = 0;
    while i < rows.len() && drawn < MOST_ROWS {
        let row = &rows[i];
        let like = rows[i + 1..].iter().take_while(|next| next.lanes == row.lanes).count();
        let _ = writeln!(text, "  block {} warp {:<2} {}", block_at(row.block, grid), row.warp, row.lanes);
        // Two of a kind are shown as they are.
        if like > 1 {
            let _ = writeln!(text, "    and the next {like} warps that have any");
            i += like;
        }
        i += 1;
        drawn += 1;
    }
    if i < rows.len() {
        let _ = writeln!(text, "  and {} more warps", rows.len() - i);
    }
    text
}

/// The warps that have failed threads.
fn rows(failed: &[bool], threads: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (block, threads) in failed.chunks(threads.max(1)).enumerate() {
        for (warp, lanes) in threads.chunks(WARP_SIZE as usize).enumerate() {
            if lanes.contains(&true) {
                rows.push(Row { block, warp, lanes: lanes.iter().map(|&failed| if failed { '#' } else { '.' }).collect() });
            }
        }
    }
    rows
}

fn block_at(index: usize, grid: Dim3) -> Dim3 {
    let (x, y) = (grid.x.max(1) as usize, grid.y.max(1) as usize);
    Dim3::new((index % x) as u32, (index / x % y) as u32, (index / x / y) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_warps_with_failed_threads_are_drawn() {
        let mut failed = vec![false; 2 * 64];
        failed[64 + 33] = true;
        let drawn = draw(&failed, Dim3::new(2, 1, 1), Dim3::new(64, 1, 1));
        assert_eq!(drawn.lines().skip(1).collect::<Vec<_>>(), ["  block (1, 0, 0) warp 1  .#.............................."]);
    }

    #[test]
    fn last_warp_of_a_block_has_the_lanes_that_it_has() {
        let drawn = draw(&[true; 40], Dim3::new(1, 1, 1), Dim3::new(40, 1, 1));
        assert!(drawn.ends_with(&format!("warp 0  {}\n  block (0, 0, 0) warp 1  ########\n", "#".repeat(32))), "{drawn}");
    }

    #[test]
    fn many_equal_warps_are_one_row() {
        let drawn = draw(&[true; 1024], Dim3::new(1, 1, 1), Dim3::new(1024, 1, 1));
        assert_eq!(drawn.lines().count(), 3, "{drawn}");
        assert!(drawn.contains("and the next 31 warps"), "{drawn}");
    }
}
