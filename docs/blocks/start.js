// block
if (data.length !== 3 || shape.join() !== '3') throw new Error(`${data} of shape ${shape}`)
