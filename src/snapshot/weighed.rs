//! One executor's load, and where it comes from.

use crate::units::Load;
use crate::wire::LoadSource;

/// Least load of an executor, the resolution of all loads: what idles still has to leave a node that is to be emptied.
pub(super) const LOAD_OF_THE_IDLE: Load = Load(1);

/// See the head of this file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weighed {
    pub(super) load: Load,
    pub(super) source: LoadSource,
}
