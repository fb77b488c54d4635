package marker

// Asked counts how many marks are looked at to make the segments of an answer.
func Asked(answer string, c Config) (asked, drafts int) {
	s := NewSegmenter(c)
	out, rest := s.scanner.Write(answer), s.scanner.Close()
	s.marks = append(out.Marks, rest.Marks...)
	s.text = out.Text + rest.Text
	for _, p := range append(s.splitter.Write(s.text), s.splitter.Close()...) {
		near := s.speaking(p.At)
		asked += len(near)
		for _, at := range s.parts(p, near) {
			asked += len(s.speaking(at))
			drafts++
		}
	}
	return asked, drafts
}
