use b2nd::source::ReadError;

/// Of any driver.
struct Failure;

impl From<b2nd::Error> for Failure {
    fn from(_: b2nd::Error) -> Self {
        Self
    }
}

impl<E> From<ReadError<E>> for Failure {
    fn from(_: ReadError<E>) -> Self {
        Self
    }
}

impl<E> From<b2nd::sink::flash::LogError<E>> for Failure {
    fn from(_: b2nd::sink::flash::LogError<E>) -> Self {
        Self
    }
}

mod reading {
    use b2nd::chunk::{Area, area_len};
    use b2nd::filter::SHUFFLE;
    use b2nd::source::Nor;
    use b2nd::source::flash::{Cached, FetchedFrame, fetch_len};
    use embedded_storage::nor_flash::ReadNorFlash;

    fn table<F: ReadNorFlash>(driver: F, buffer: &mut [u8], mut area: Area<4096>) -> Result<(), super::Failure> {
        // block
        Ok(())
    }
}

mod waiting {
    use b2nd::chunk::Area;
    use b2nd::source::AsyncNor;
    use b2nd::source::flash::AsyncFrame;
    use embedded_storage_async::nor_flash::ReadNorFlash;

    async fn table<F: ReadNorFlash>(driver: F, mut buffer: [u8; 4096], mut area: Area<4096>) -> Result<(), super::Failure> {
        let mut item = [0; 2];
        // block
        Ok(())
    }
}

mod cards {
    use b2nd::chunk::Area;
    use b2nd::codec::Lz4Table;
    use b2nd::sink::flash::Logger;
    use b2nd::source::Card;
    use embedded_sdmmc_types::BlockDevice;

    /// Stands for the driver of the crate embedded-sdmmc.
    struct SdCard;

    impl SdCard {
        fn new<D>(spi: D, _: ()) -> D {
            spi
        }
    }

    fn log<D: BlockDevice>(spi: D, mut area: Area<8192, Lz4Table<1024>>) -> Result<(), super::Failure> {
        let delay = ();
        // block
        Ok(())
    }
}

mod files {
    use b2nd::source::Io;
    use b2nd::source::flash::FetchedFrame;
    use embedded_io::{Read, Seek};

    /// Stand for the file system of the crate embedded-sdmmc.
    struct Folder<T>(T);
    enum Mode {
        ReadOnly,
    }

    impl<T> Folder<T> {
        fn open_file_in_dir(self, _: &str, _: Mode) -> Result<T, b2nd::Error> {
            Ok(self.0)
        }
    }

    fn table<T: Read + Seek>(root: Folder<T>, mut buffer: [u8; 4096]) -> Result<(), super::Failure>
    where
        super::Failure: From<T::Error>,
    {
        // block
        Ok(())
    }
}

mod logging {
    use b2nd::chunk::Area;
    use b2nd::codec::Lz4Table;
    use b2nd::filter::SHUFFLE;
    use b2nd::sink::flash::{Image, LogError, Logger, log_area_len};

    fn log(mut flash: Image, mut area: Area<8192, Lz4Table<1024>>, row: [u8; 6]) -> Result<(), super::Failure> {
        // block
        Ok(())
    }
}

mod partition {
    use b2nd::chunk::Area;
    use b2nd::codec::Lz4Table;
    use b2nd::sink::flash::Logger;
    use b2nd::source::Nor;
    use embedded_storage::nor_flash::NorFlash;

    fn log<F: NorFlash>(mut driver: F, mut area: Area<8192, Lz4Table<1024>>) -> Result<(), super::Failure> {
        // block
        logger.map(drop).map_err(Into::into)
    }
}

mod radio {
    use b2nd::chunk::stream::{Sender, send_area_len};
    use b2nd::chunk::{Area, CParams};
    use b2nd::codec::{Codec, Lz4Table};
    use b2nd::filter::SHUFFLE;

    struct Radio;

    impl Radio {
        fn send(&self, _: &[u8]) {}
    }

    fn send(radio: Radio, boot_number: u16, sample: [u8; 6], mut area: Area<4096, Lz4Table<512>>) -> Result<(), super::Failure> {
        // block
    }
}
