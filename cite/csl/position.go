package csl

// positions gives every cite its place among those of the same item. Citations in notes and those in running text
// are counted apart.
func (d *Document) positions() {
	var notes, running []*clusterState
	for _, cl := range d.clusters {
		if cl.Note > 0 {
			notes = append(notes, cl)
		} else {
			running = append(running, cl)
		}
	}
	d.positionsIn(notes)
	d.positionsIn(running)
}

func (d *Document) positionsIn(clusters []*clusterState) {
	type seen struct {
		firstNote, lastNote int
	}
	known := map[string]*seen{}
	var before *clusterState
	perNote := map[int]int{}
	for _, cl := range clusters {
		perNote[cl.Note]++
	}
	for _, cl := range clusters {
		for i, ci := range cl.cites {
			if ci.forced != nil {
				ci.position, ci.nearNote, ci.firstNote = *ci.forced, ci.forcedNear, ci.forcedNote
				continue
			}
			s := known[ci.ID]
			if s == nil {
				ci.position = First
				known[ci.ID] = &seen{cl.Note, cl.Note}
				if it := d.items[ci.ID]; it != nil {
					it.firstNote = cl.Note
				}
				continue
			}
			ci.firstNote = s.firstNote
			ci.position = Subsequent
			ci.nearNote = cl.Note-s.lastNote <= d.style.citation.nearNoteDistance
			if prev := d.previous(cl, i, before, perNote); prev != nil && prev.ID == ci.ID {
				ci.position = ibidPosition(prev, ci)
			}
			s.lastNote = cl.Note
		}
		if len(cl.cites) > 0 {
			before = cl
		}
	}
}

// previous gives the cite that "ibid." would refer to, nil where it would be unclear.
func (d *Document) previous(cl *clusterState, i int, before *clusterState, perNote map[int]int) *cite {
	if i > 0 {
		return cl.cites[i-1]
	}
	if before == nil || len(before.cites) == 0 {
		return nil
	}
	if d.style.Class == "note" && cl.Note > 0 && before.Note > 0 {
		if cl.Note-before.Note > 1 {
			return nil
		}
		// Where the note before holds several citations, it is not clear which is meant.
		if cl.Note != before.Note && perNote[before.Note] > 1 && !d.sameItemThroughout(before.Note) {
			return nil
		}
	}
	last := before.cites[len(before.cites)-1]
	for _, ci := range before.cites {
		if ci.ID != last.ID {
			return nil
		}
	}
	return last
}

func (d *Document) sameItemThroughout(note int) bool {
	id := ""
	for _, cl := range d.clusters {
		if cl.Note != note {
			continue
		}
		for _, ci := range cl.cites {
			if id != "" && ci.ID != id {
				return false
			}
			id = ci.ID
		}
	}
	return true
}

func ibidPosition(prev, ci *cite) Position {
	switch {
	case ci.Locator == "" && prev.Locator == "":
		return Ibid
	case ci.Locator == "":
		return Subsequent
	case ci.Locator == prev.Locator && ci.label() == prev.label():
		return Ibid
	}
	return IbidWithLocator
}
