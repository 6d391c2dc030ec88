//! Time by SysTick, which QEMU ties to the number of instructions.

use crate::expect;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

const WRAP: u32 = 0x00FF_FFFF;

/// A clock that is running.
pub struct Clock(u32);

/// Starts the clock, once.
#[inline(always)]
pub fn start() -> Clock {
    let mut clock = expect(cortex_m::Peripherals::take().ok_or(())).SYST;
    clock.set_clock_source(SystClkSource::Core);
    clock.set_reload(WRAP);
    clock.clear_current();
    clock.enable_counter();
    Clock(SYST::get_current())
}

impl Clock {
    /// Ticks since the start.
    #[inline(always)]
    pub fn ticks(&self) -> u32 {
        self.0.wrapping_sub(SYST::get_current()) & WRAP
    }

    /// Ticks since there were so many, of no more than 2²⁴.
    #[inline(always)]
    pub fn since(&self, start: u32) -> u32 {
        self.ticks().wrapping_sub(start) & WRAP
    }
}
