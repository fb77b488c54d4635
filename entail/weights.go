package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "cdfcce3d578a534bfffdba28311a9e360c90d30735e2ed4ef008ae4ffdfb74c7"
