package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "06b41120e133cb9172e0d950408ceaa4c2eab8f97b69d0ff656f510d480faf9d"
