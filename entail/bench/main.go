// Command bench measures how fast package entail judges, beside hugot's pure-Go backend and, with ort.js, ONNX Runtime, all with
// the same weights. compare.sh runs it.
//
//	bench export MODEL FOLDER    writes the weights as graphs of ONNX
//	bench ibid MODEL             pairs for each second of processor time, at each length
//	bench hugot FOLDER           the same with hugot, where an encoded text counts as a pair
//	bench start MODEL            time until a first judgement, and memory after some
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/knights-analytics/hugot"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/entail"
)

// lengths of a pair, in tokens, with their marks.
var lengths = []int{64, 128, 256}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: bench export MODEL FOLDER | ibid MODEL | hugot FOLDER | start MODEL")
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		log.Fatal("bench: ", err)
	}
}

func run(verb string, args []string) error {
	switch verb {
	case "export":
		w, err := readWeights(args[0])
		if err != nil {
			return err
		}
		return w.export(args[1])
	case "ibid":
		return measureIbid(args[0])
	case "hugot":
		return measureHugot(args[0])
	case "start":
		return start(args[0])
	}
	return fmt.Errorf("unknown verb %q", verb)
}

func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// best gives the highest rate of several rounds: the others were disturbed.
func best(rounds, pairs int, do func() error) (float64, error) {
	top := 0.0
	for range rounds {
		c := processor()
		if err := do(); err != nil {
			return 0, err
		}
		top = max(top, float64(pairs)/(processor()-c).Seconds())
	}
	return top, nil
}

func load(path string) (*entail.Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return entail.Load(b)
}

func measureIbid(path string) error {
	m, err := load(path)
	if err != nil {
		return err
	}
	fmt.Println("kernel", m.Kernel())
	for _, n := range lengths {
		pairs := make([]ibid.Pair, 4096/n)
		for i := range pairs {
			pairs[i] = ibid.Pair{Evidence: words(n-3-n/4, i), Claim: words(n/4, i+1)}
		}
		judge := func() error {
			_, err := m.Judge(context.Background(), pairs)
			return err
		}
		if err := judge(); err != nil {
			return err
		}
		rate, err := best(5, len(pairs), judge)
		if err != nil {
			return err
		}
		fmt.Printf("%d %.1f\n", n, rate)
	}
	return nil
}

// words gives a text of n words that are one token each.
func words(n, seed int) string {
	list := strings.Fields("the of and to in was is for on as with by he that from at his it an were are which this be had or has first their its new after but who not they have her she two one out up into over time year city state world")
	out := make([]string, n)
	for i := range out {
		out[i] = list[(i*7+seed*13+i*i%11)%len(list)]
	}
	return strings.Join(out, " ")
}

func measureHugot(dir string) error {
	for _, n := range lengths {
		session, err := hugot.NewGoSession()
		if err != nil {
			return err
		}
		pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: filepath.Join(dir, fmt.Sprint("float", n)), Name: fmt.Sprint(n), OnnxFilename: "model.onnx"})
		if err != nil {
			return err
		}
		encode := func() error {
			_, err := pipeline.RunPipeline([]string{words(n-2, 1)})
			return err
		}
		if err := encode(); err != nil {
			return err
		}
		rate, err := best(1, 1, encode)
		if err != nil {
			return err
		}
		fmt.Printf("%d %.2f\n", n, rate)
		if err := session.Destroy(); err != nil {
			return err
		}
	}
	return nil
}

func start(path string) error {
	began := time.Now()
	m, err := load(path)
	if err != nil {
		return err
	}
	ready := time.Since(began)
	pairs := make([]ibid.Pair, 64)
	for i := range pairs {
		pairs[i] = ibid.Pair{Evidence: words(200, i), Claim: words(50, i)}
	}
	if _, err := m.Judge(context.Background(), pairs); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			fmt.Printf("load %d ms, memory at most %s", ready.Milliseconds(), strings.TrimSpace(strings.TrimPrefix(line, "VmHWM:"))+"\n")
		}
	}
	runtime.KeepAlive(m)
	return nil
}
