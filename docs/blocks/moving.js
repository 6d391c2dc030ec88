// block
if (values.length !== 4000 || older.length === 0) throw new Error(`${values.length} and ${older.length} bytes`)
{
// block
if (data.length !== 10 || shape.join() !== '10') throw new Error(`${data} of shape ${shape}`)
}
