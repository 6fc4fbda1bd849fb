use super::function::FunctionDecoder;
use crate::error::LoadError;
use threadwise_ptx::Instruction;
impl FunctionDecoder<'_> {
    pub(super) fn copy_async(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.unsupported(ins)
    }
    pub(super) fn mbarrier(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.unsupported(ins)
    }
    pub(super) fn move_matrix(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.unsupported(ins)
    }
    pub(super) fn mma(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.unsupported(ins)
    }
    pub(super) fn wmma(&mut self, ins: &Instruction) -> Result<(), LoadError> {
        self.unsupported(ins)
    }
}
