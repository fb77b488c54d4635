package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "a20876b9cba8acdf717d7f843a71fe6ad079d1f945c7486123fc5f23b11a930c"
