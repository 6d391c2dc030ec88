//! Shared by the programs: lines for the host, and a way out. Nothing here formats with `core::fmt`, which would take
//! more of the flash than LZ4.

#![no_std]

pub mod clock;
pub mod crc;
#[cfg(feature = "encode")]
pub mod flash;
pub mod stack;
#[cfg(all(feature = "embedded-storage", feature = "encode"))]
pub mod storage;

use core::panic::PanicInfo;
use cortex_m_rt::{ExceptionFrame, exception};
use cortex_m_semihosting::debug::{self, EXIT_FAILURE, EXIT_SUCCESS};
use cortex_m_semihosting::hio::{self, HostStream};

/// Writes lines to the host's standard output.
pub struct Host {
    stream: HostStream,
    line: [u8; 64],
    len: usize,
}

impl Host {
    /// The host that runs the program.
    pub fn new() -> Self {
        let Ok(stream) = hio::hstdout() else { fail() };
        Self { stream, line: [0; 64], len: 0 }
    }

    /// Appends text to the line.
    pub fn text(&mut self, text: &str) -> &mut Self {
        text.bytes().for_each(|byte| self.byte(byte));
        self
    }

    /// Appends a number.
    pub fn number(&mut self, number: i32) -> &mut Self {
        if number < 0 {
            self.byte(b'-');
        }
        let (mut left, mut digits) = (number.unsigned_abs(), [0; 10]);
        for digit in &mut digits {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
        }
        let zeros = digits.iter().rev().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
        digits.iter().rev().skip(zeros).for_each(|&digit| self.byte(digit));
        self
    }

    /// Appends eight hexadecimal digits.
    pub fn hex(&mut self, number: u32) -> &mut Self {
        for shift in (0..8).rev() {
            self.byte(b"0123456789abcdef"[(number >> (4 * shift) & 15) as usize]);
        }
        self
    }

    /// Sends the line.
    pub fn end(&mut self) {
        self.byte(b'\n');
        if self.stream.write_all(&self.line.get(..self.len).unwrap_or_default()).is_err() {
            fail();
        }
        self.len = 0;
    }

    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.line.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

/// The end of a program.
pub fn done() -> ! {
    debug::exit(EXIT_SUCCESS);
    loop {}
}

/// The end of a program that went wrong.
pub fn fail() -> ! {
    debug::exit(EXIT_FAILURE);
    loop {}
}

/// The value, or the end.
pub fn expect<T, E>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(_) => fail(),
    }
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    Host::new().text("panic").end();
    fail()
}

#[exception]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    Host::new().text("fault").end();
    fail()
}
