//! The files between the compiler process and the lowering process.

use std::path::PathBuf;

use threadwise_abi::{Component, ComponentKind};

use crate::error::{Diagnostic, Fault};

/// What to lower, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Name of the crate, as it begins the paths of its kernels.
    pub krate: String,
    /// The crate's bitcode, as rustc wrote it.
    pub bitcode: PathBuf,
    /// Sysroot of the rustc that wrote it.
    pub sysroot: PathBuf,
    /// Target triple of the host, as in `lib/rustlib/TRIPLE`.
    pub host: String,
    /// GPU architectures to emit, such as `sm_75`; one image each.
    pub archs: Vec<String>,
    /// Whether panic messages are formatted on the device (dev profile) or only name their place and fixed text (release).
    pub full_messages: bool,
    /// Whether a launch can have its panics kept in detail: the code for that costs every kernel registers.
    pub panic_details: bool,
    /// Whether the bitcode holds the crate's host code, and so the instances of generic kernels that it launches.
    pub host_code: bool,
    /// Bitcode of the crate's dependencies.
    pub libraries: Libraries,
    /// Folder for a dump of the module after each stage, when asked for (`THREADWISE_DUMP`).
    pub dump: Option<PathBuf>,
    /// Where to write the [`Response`].
    pub response: PathBuf,
}

/// Bitcode of the crate's dependencies, which is made only when something in it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Libraries {
    /// Nobody asked for it yet: where it is needed, the answer is [`Response::NeedsBodies`].
    Unasked,
    /// The files.
    Bitcode(Vec<PathBuf>),
    /// It cannot be had, and why.
    Missing(String),
}

/// PTX for one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Such as `sm_75`.
    pub arch: String,
    /// The PTX module.
    pub ptx: String,
}

/// One kernel instance of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Bytes of the instance's [`KernelId`](threadwise_abi::KernelId).
    pub id: [u8; 16],
    /// The kernel's path.
    pub name: String,
    /// `file:line:column` of its name.
    pub place: String,
    /// Name of the `.entry` in the PTX.
    pub entry: String,
    /// Components of all parameters in order.
    pub components: Vec<Component>,
    /// Upper bound of threads per block, 0 when not given.
    pub max_threads: u32,
}

/// A `#[device] static` that the module has or uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticInfo {
    /// Its symbol, which begins with [`STATIC_PREFIX`](threadwise_abi::symbols::STATIC_PREFIX).
    pub symbol: String,
    /// Whether it is another module's, and this one holds its address in a variable of the same name after
    /// [`IMPORT_PREFIX`](threadwise_abi::symbols::IMPORT_PREFIX).
    pub imported: bool,
}

/// What came of a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// All kernels were lowered. An index into `kernels` is what a panic record names.
    Lowered {
        /// One image per architecture asked for.
        images: Vec<Image>,
        /// The kernels of each image.
        kernels: Vec<KernelInfo>,
        /// The statics of each image.
        statics: Vec<StaticInfo>,
    },
    /// The crate has generic kernels: [`Request::host_code`] is needed.
    NeedsHostCode,
    /// Kernels need these symbols of the crate's dependencies: [`Request::libraries`] is needed.
    NeedsBodies(Vec<String>),
    /// Some were not.
    Failed(Vec<Diagnostic>),
}

/// A file of this module could not be read.
#[derive(Debug, thiserror::Error)]
#[error("malformed or truncated message between compiler and lowering process at byte {at}")]
pub struct WireError {
    /// Offset of the fault.
    pub at: usize,
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, n: usize) {
        self.0.extend_from_slice(&(n as u64).to_le_bytes());
    }

    fn text(&mut self, s: &str) {
        self.number(s.len());
        self.0.extend_from_slice(s.as_bytes());
    }

    fn path(&mut self, p: &std::path::Path) {
        let bytes = p.as_os_str().as_encoded_bytes();
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], WireError> {
        let end = self.at.checked_add(n).filter(|&end| end <= self.bytes.len()).ok_or(WireError { at: self.at })?;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<usize, WireError> {
        let bytes: [u8; 8] = self.take(8)?.try_into().map_err(|_| WireError { at: self.at })?;
        usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| WireError { at: self.at })
    }

    fn small(&mut self) -> Result<u32, WireError> {
        u32::try_from(self.number()?).map_err(|_| WireError { at: self.at })
    }

    fn text(&mut self) -> Result<String, WireError> {
        let n = self.number()?;
        String::from_utf8(self.take(n)?.to_vec()).map_err(|_| WireError { at: self.at })
    }

    fn path(&mut self) -> Result<PathBuf, WireError> {
        let n = self.number()?;
        let bytes = self.take(n)?.to_vec();
        // SAFETY: the same process image wrote these bytes with `as_encoded_bytes`, on the same machine, with the same std.
        Ok(PathBuf::from(unsafe { std::ffi::OsString::from_encoded_bytes_unchecked(bytes) }))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, WireError>) -> Result<Vec<T>, WireError> {
        let n = self.number()?;
        // Not `with_capacity(n)`: a damaged count must not allocate.
        (0..n).map(|_| item(self)).collect()
    }

    fn optional<T>(&mut self, item: impl FnOnce(&mut Self) -> Result<T, WireError>) -> Result<Option<T>, WireError> {
        if self.number()? == 0 { Ok(None) } else { item(self).map(Some) }
    }
}

impl Request {
    /// The request as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.text(&self.krate);
        w.path(&self.bitcode);
        w.path(&self.sysroot);
        w.text(&self.host);
        w.number(self.archs.len());
        self.archs.iter().for_each(|a| w.text(a));
        w.number(usize::from(self.full_messages));
        w.number(usize::from(self.panic_details));
        w.number(usize::from(self.host_code));
        match &self.libraries {
            Libraries::Unasked => w.number(0),
            Libraries::Bitcode(paths) => {
                w.number(1);
                w.number(paths.len());
                paths.iter().for_each(|p| w.path(p));
            }
            Libraries::Missing(reason) => {
                w.number(2);
                w.text(reason);
            }
        }
        w.number(usize::from(self.dump.is_some()));
        if let Some(dump) = &self.dump {
            w.path(dump);
        }
        w.path(&self.response);
        w.0
    }

    /// The request that `bytes` hold.
    ///
    /// # Errors
    /// When the bytes are not what [`Request::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let mut r = Reader { bytes, at: 0 };
        Ok(Request {
            krate: r.text()?,
            bitcode: r.path()?,
            sysroot: r.path()?,
            host: r.text()?,
            archs: r.list(Reader::text)?,
            full_messages: r.number()? != 0,
            panic_details: r.number()? != 0,
            host_code: r.number()? != 0,
            libraries: match r.number()? {
                0 => Libraries::Unasked,
                1 => Libraries::Bitcode(r.list(Reader::path)?),
                2 => Libraries::Missing(r.text()?),
                _ => return Err(WireError { at: r.at }),
            },
            dump: r.optional(Reader::path)?,
            response: r.path()?,
        })
    }
}

impl Response {
    /// The response as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        match self {
            Response::Lowered { images, kernels, statics } => {
                w.number(0);
                w.number(images.len());
                for image in images {
                    w.text(&image.arch);
                    w.text(&image.ptx);
                }
                w.number(kernels.len());
                for kernel in kernels {
                    w.0.extend_from_slice(&kernel.id);
                    w.text(&kernel.name);
                    w.text(&kernel.place);
                    w.text(&kernel.entry);
                    w.number(kernel.components.len());
                    for c in &kernel.components {
                        w.number(c.kind as usize);
                        w.number(c.size as usize);
                        w.number(c.align as usize);
                    }
                    w.number(kernel.max_threads as usize);
                }
                w.number(statics.len());
                for one in statics {
                    w.text(&one.symbol);
                    w.number(usize::from(one.imported));
                }
            }
            Response::NeedsHostCode => w.number(2),
            Response::NeedsBodies(symbols) => {
                w.number(3);
                w.number(symbols.len());
                symbols.iter().for_each(|s| w.text(s));
            }
            Response::Failed(diagnostics) => {
                w.number(1);
                w.number(diagnostics.len());
                for d in diagnostics {
                    w.number(d.fault as usize);
                    w.number(usize::from(d.kernel.is_some()));
                    if let Some(kernel) = &d.kernel {
                        w.text(kernel);
                    }
                    w.text(&d.message);
                }
            }
        }
        w.0
    }

    /// The response that `bytes` hold.
    ///
    /// # Errors
    /// When the bytes are not what [`Response::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let mut r = Reader { bytes, at: 0 };
        match r.number()? {
            0 => Ok(Response::Lowered {
                images: r.list(|r| Ok(Image { arch: r.text()?, ptx: r.text()? }))?,
                kernels: r.list(kernel)?,
                statics: r.list(|r| Ok(StaticInfo { symbol: r.text()?, imported: r.number()? != 0 }))?,
            }),
            1 => Ok(Response::Failed(r.list(diagnostic)?)),
            2 => Ok(Response::NeedsHostCode),
            3 => Ok(Response::NeedsBodies(r.list(Reader::text)?)),
            _ => Err(WireError { at: 0 }),
        }
    }
}

fn kernel(r: &mut Reader<'_>) -> Result<KernelInfo, WireError> {
    Ok(KernelInfo {
        id: r.take(16)?.try_into().map_err(|_| WireError { at: r.at })?,
        name: r.text()?,
        place: r.text()?,
        entry: r.text()?,
        components: r.list(|r| {
            let kind = ComponentKind::from_u32(r.small()?).ok_or(WireError { at: r.at })?;
            Ok(Component { kind, size: r.small()?, align: r.small()? })
        })?,
        max_threads: r.small()?,
    })
}

fn diagnostic(r: &mut Reader<'_>) -> Result<Diagnostic, WireError> {
    let fault = match r.number()? {
        0 => Fault::User,
        1 => Fault::Unsupported,
        2 => Fault::Tool,
        3 => Fault::Internal,
        _ => return Err(WireError { at: r.at }),
    };
    Ok(Diagnostic { fault, kernel: r.optional(Reader::text)?, message: r.text()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_survives_the_file() {
        let request = Request {
            krate: "x".into(),
            bitcode: "/tmp/ä b/x.bc".into(),
            sysroot: "/s".into(),
            host: "x86_64-unknown-linux-gnu".into(),
            archs: vec!["sm_75".into(), "sm_90".into()],
            full_messages: true,
            panic_details: true,
            host_code: false,
            libraries: Libraries::Bitcode(vec!["/l.bc".into()]),
            dump: Some("/d".into()),
            response: "/r".into(),
        };
        assert_eq!(Request::from_bytes(&request.to_bytes()).unwrap(), request);
    }

    #[test]
    fn response_survives_the_file_and_truncation_is_an_error() {
        let response = Response::Lowered {
            images: vec![Image { arch: "sm_75".into(), ptx: ".version 6.3".into() }],
            kernels: vec![KernelInfo {
                id: [7; 16],
                name: "a::b".into(),
                place: "src/main.rs:1:1".into(),
                entry: "b".into(),
                components: vec![Component::pointer(), Component::scalar::<usize>()],
                max_threads: 256,
            }],
            statics: vec![StaticInfo { symbol: "__threadwise_static_1".into(), imported: true }],
        };
        let bytes = response.to_bytes();
        assert_eq!(Response::from_bytes(&bytes).unwrap(), response);
        for cut in 0..bytes.len() {
            assert!(Response::from_bytes(&bytes[..cut]).is_err());
        }
    }
}
