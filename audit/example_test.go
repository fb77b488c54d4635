package audit_test

import (
	"fmt"

	"github.com/ibid-dev/ibid/audit"
)

// A receipt is checked with the log's public key alone.
func ExampleReceipt_Check() {
	file := []byte(`{"form":"ibid log receipt v1","entry":{"index":1,"at":"2026-05-03T12:00:01.000000Z","kind":"answer","commitment":"29ae2478d6814df55902370f3bcb337c2ffb92b930b18f1ecd3755c7dc5a1ec2","prev":"720cdec949e1e60d189a473114d2e33dad683cee77deeed871db5de84e82d15e","hash":"6dabe3788b865a8d97bb7c438d77884c76f46f83f13efa5cb0274e84651a5137","salt":"57489095db26831400c368040289ff6abbe994201821860c092f97cade7db21b","payload":"The loan was refused."},"proof":["720cdec949e1e60d189a473114d2e33dad683cee77deeed871db5de84e82d15e"],"checkpoint":"log.example\n2\naJ6ZvH92f5tyGmcQSrqnI9NPTmdusUh+acad3MMB/Zw=\n\n— log.example pjYPwx/4bwERYsO+i4lWg2n0aB2XtTVklqzEWpL9c5yPOlieL+7J49iIGpirL8vwzkpZ2RuIR/gCKBzFUzj4AcwLwwQ=\n"}`)
	key := "log.example+a6360fc3+AT4fYGqG2RxYXa5v7nUkNQNbDOypI4JlGsiZVGjx61ka"

	receipt, err := audit.ParseReceipt(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	checked, err := receipt.Check(key)
	fmt.Println(err, checked.Entry.At.Format("2 January 2006"), string(checked.Entry.Data))

	receipt.Record.Entry.Data = []byte("The loan was granted.")
	_, err = receipt.Check(key)
	fmt.Println(err)
	// Output:
	// <nil> 3 May 2026 The loan was refused.
	// entry 1: its payload is not what was recorded: invalid
}
