use b2nd::source::flash::AreaWork;

fn library() -> Result<(), Box<dyn std::error::Error>> {
    // block
    Ok(())
}

fn firmware(mut work: AreaWork) -> Result<(), b2nd::Error> {
    static FRAME: &[u8] = &[];
    // block
    Ok(())
}
