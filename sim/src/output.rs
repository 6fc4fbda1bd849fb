//! Where the text goes that kernels print.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

type Sink = dyn Fn(&[u8]) + Send + Sync;

/// Takes the text of launches: the host's standard output unless told otherwise.
#[derive(Default)]
pub(crate) struct Output {
    sink: RwLock<Option<Arc<Sink>>>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    pub(crate) fn set(&self, sink: Arc<Sink>) {
        *self.sink.write().unwrap_or_else(PoisonError::into_inner) = Some(sink);
    }

    fn write(&self, text: &[u8]) {
        let sink = self.sink.read().unwrap_or_else(PoisonError::into_inner).clone();
        match (sink, std::str::from_utf8(text)) {
            (Some(sink), _) => sink(text),
            // `print` and not a write: tests capture it.
            (None, Ok(text)) => print!("{text}"),
            (None, Err(_)) => {
                // As `printf` on a GPU, which tells nobody that the output is closed.
                let _ = std::io::stdout().lock().write_all(text);
            }
        }
    }
}

/// What the blocks of a launch printed, until its end.
#[derive(Default)]
pub(crate) struct Printed {
    blocks: Mutex<Texts>,
}

#[derive(Default)]
struct Texts {
    by_block: BTreeMap<u64, Vec<u8>>,
    bytes: usize,
    lost: u64,
}

/// Bytes of text of a launch that are kept; a GPU's buffer has 1 MiB unless told otherwise.
pub(crate) const MAX_OUTPUT: usize = 16 << 20;

impl Printed {
    /// Keeps what a block printed; `lost` bytes found no room already.
    pub(crate) fn add(&self, block: u64, text: &[u8], lost: u64) {
        if text.is_empty() && lost == 0 {
            return;
        }
        let mut texts = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        texts.lost += lost;
        if texts.bytes + text.len() <= MAX_OUTPUT {
            texts.bytes += text.len();
            texts.by_block.insert(block, text.to_vec());
        } else {
            texts.lost += text.len() as u64;
        }
    }

    /// Writes the text in order of blocks, none of those behind `last`.
    pub(crate) fn write(self, last: u64, output: &Output) {
        let texts = self.blocks.into_inner().unwrap_or_else(PoisonError::into_inner);
        for text in texts.by_block.range(..=last).map(|(_, text)| text) {
            output.write(text);
        }
        if texts.lost > 0 {
            let note = format!("… {} more bytes of output are lost: a launch keeps {MAX_OUTPUT}\n", texts.lost);
            output.write(note.as_bytes());
        }
    }
}
