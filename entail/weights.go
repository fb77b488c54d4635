package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "2ee8f56f595336b29aed5d4334edf93d597374d059ead1b8b6662351d3f987eb"
