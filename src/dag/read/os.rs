//! The file system, relative to open directories: the only file that names rustix.

use std::ffi::CStr;
use std::io;
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};

use super::super::names::Names;

/// What tells one state of a file or directory from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Identity {
    inode: u64,
    size: u64,
    /// Time of the last change of the content, in nanoseconds since 1970. Tools that copy set it back.
    modified: i64,
    /// Time of the last change of the content or of what is known about it, which nobody can set.
    changed: i64,
    regular: bool,
}

impl Identity {
    fn of(stat: &Stat) -> Self {
        Identity {
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
            regular: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
        }
    }

    /// The last change of any sort, in nanoseconds since 1970.
    pub(super) fn touched(&self) -> i64 {
        self.modified.max(self.changed)
    }
}

/// Enough for the years up to 2262; later ones are all the same.
fn nanoseconds(seconds: i64, rest: impl TryInto<i64>) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest.try_into().unwrap_or(0))
}

/// An open directory.
pub(super) struct Directory(OwnedFd);

/// Whether the process or the machine ran out of something: that says nothing about the file.
pub(super) fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    error.kind() == io::ErrorKind::OutOfMemory
        || matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::NOBUFS | Errno::INTR))
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Without blocking: a FIFO in place of a file must not stop a load.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

impl Directory {
    /// Opens a directory by path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Directory(rustix::fs::open(path, DIRECTORY, Mode::empty())?))
    }

    /// Opens a directory inside this one; `None` if there is no directory of that name.
    pub(super) fn inside(&self, name: &CStr) -> io::Result<Option<Self>> {
        match rustix::fs::openat(&self.0, name, DIRECTORY, Mode::empty()) {
            Ok(fd) => Ok(Some(Directory(fd))),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The names of the entries that end in `suffix`.
    pub(super) fn names(&self, suffix: &[u8]) -> io::Result<Names> {
        let mut names = Names::default();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            if entry.file_name().to_bytes().ends_with(suffix) {
                names.push(entry.file_name());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The directory's own identity.
    pub(super) fn identity(&self) -> io::Result<Identity> {
        Ok(Identity::of(&rustix::fs::fstat(&self.0)?))
    }

    /// The identity of an entry, links followed.
    pub(super) fn identity_of(&self, name: &CStr) -> io::Result<Identity> {
        Ok(Identity::of(&rustix::fs::statat(&self.0, name, AtFlags::empty())?))
    }

    /// Whether there is an entry of that name.
    pub(super) fn has(&self, name: &CStr) -> bool {
        rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Reads a regular file to the end of `bytes`; on an error nothing is left there.
    pub(super) fn read(&self, name: &CStr, bytes: &mut Vec<u8>) -> io::Result<Identity> {
        let file = rustix::fs::openat(&self.0, name, FILE, Mode::empty())?;
        let identity = Identity::of(&rustix::fs::fstat(&file)?);
        if !identity.regular {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let size = usize::try_from(identity.size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let start = bytes.len();
        // Places in a chunk are 32-bit numbers; what is longer (a sparse file, say) is not even begun.
        if u32::try_from(start + size).is_err() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        bytes.try_reserve(size + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
        while bytes.len() - start < size {
            match rustix::io::read(&file, spare_capacity(bytes)) {
                Ok(0) => break,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => {
                    bytes.truncate(start);
                    return Err(error.into());
                }
            }
        }
        Ok(identity)
    }
}
