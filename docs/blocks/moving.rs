use std::error::Error;

fn array() -> Result<usize, Box<dyn Error>> {
    // block
    Ok(row.as_slice().len())
}

mod chunk {
    use std::error::Error;

    fn decoded() -> Result<Vec<u8>, Box<dyn Error>> {
        // block
        Ok(values)
    }
}
