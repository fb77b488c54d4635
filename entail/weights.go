package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "05d40a309b42c014c75e55727fac894422642b095b6d13d048fd31a275da1792"
