package audit

import (
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/ibid-dev/ibid"
)

// Tree is a Merkle tree (RFC 6962) as far as adding to it needs it: its size and the roots of its complete subtrees. The
// zero value is the empty tree.
//
//	size 11 = 8 + 2 + 1:  edge is the roots of entries 0 to 7, 8 to 9, and 10
type Tree struct {
	size int64
	edge []Hash // the largest subtree first
}

// NewTree gives the tree of a size whose complete subtrees have these roots, the largest first, as EdgePlaces names
// them.
func NewTree(size int64, edge []Hash) (Tree, error) {
	if size < 0 || len(edge) != bits.OnesCount64(uint64(size)) {
		return Tree{}, fmt.Errorf("a tree of size %d does not have %d complete subtrees: %w", size, len(edge), ibid.ErrInvalid)
	}
	return Tree{size, edge}, nil
}

// Size is the number of entries.
func (t *Tree) Size() int64 { return t.size }

// Clone gives a tree that grows apart from this one.
func (t *Tree) Clone() Tree { return Tree{t.size, append([]Hash(nil), t.edge...)} }

// Add adds the hash of the next entry. It appends to the list the hashes that stand from now on: the entry's own, then
// the roots of the subtrees that it completes, the smallest first.
func (t *Tree) Add(leaf Hash, list []Hash) []Hash {
	list = append(list, leaf)
	for n := t.size; n&1 == 1; n >>= 1 {
		last := len(t.edge) - 1
		leaf = nodeHash(t.edge[last], leaf)
		t.edge = t.edge[:last]
		list = append(list, leaf)
	}
	t.edge = append(t.edge, leaf)
	t.size++
	return list
}

// Root is the root hash of the tree; that of the empty tree is the hash of nothing.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		h, _ := tlog.TreeHash(0, nil)
		return Hash(h)
	}
	last := len(t.edge) - 1
	root := t.edge[last]
	for i := last - 1; i >= 0; i-- {
		root = nodeHash(t.edge[i], root)
	}
	return root
}

func nodeHash(left, right Hash) Hash { return Hash(tlog.NodeHash(tlog.Hash(left), tlog.Hash(right))) }

// Place is where a hash of the tree is kept: with the entry that completes its subtree, of 2 to the power of Level
// entries.
type Place struct {
	Entry int64
	Level int
}

// EdgePlaces names the places of the roots of a tree's complete subtrees, the largest first.
func EdgePlaces(size int64) []Place {
	var places []Place
	end := int64(0)
	for level := 62; level >= 0; level-- {
		if size>>level&1 == 1 {
			end += 1 << level
			places = append(places, Place{end - 1, level})
		}
	}
	return places
}

// Reader reads hashes of the tree from where they are kept.
type Reader func(places []Place) ([]Hash, error)

// ReadHashes makes a Reader the HashReader of package tlog.
func (r Reader) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	places := make([]Place, len(indexes))
	for i, x := range indexes {
		level, n := tlog.SplitStoredHashIndex(x)
		places[i] = Place{(n+1)<<level - 1, level}
	}
	found, err := r(places)
	if err != nil {
		return nil, err
	}
	hashes := make([]tlog.Hash, len(found))
	for i, h := range found {
		hashes[i] = tlog.Hash(h)
	}
	return hashes, nil
}

// ProveInclusion gives the path from an entry to the root of the tree of a size. The error wraps ibid.ErrInvalid where
// the tree does not hold the entry.
func ProveInclusion(size, index int64, r Reader) ([]Hash, error) {
	if index < 0 || index >= size {
		return nil, fmt.Errorf("entry %d is not among the first %d: %w", index, size, ibid.ErrInvalid)
	}
	p, err := tlog.ProveRecord(size, index, r)
	return fromTlog(p), err
}

// ProveConsistency shows that the tree of a size begins with the whole tree of a smaller size. The error wraps
// ibid.ErrInvalid where there is no such tree.
func ProveConsistency(size, old int64, r Reader) ([]Hash, error) {
	if old < 1 || old > size {
		return nil, fmt.Errorf("a log of %d entries has no beginning of %d: %w", size, old, ibid.ErrInvalid)
	}
	p, err := tlog.ProveTree(size, old, r)
	return fromTlog(p), err
}

func checkInclusion(proof []Hash, size int64, root Hash, index int64, leaf Hash) bool {
	return tlog.CheckRecord(toTlog(proof), size, tlog.Hash(root), index, tlog.Hash(leaf)) == nil
}

// CheckConsistency holds that all entries of the old checkpoint stand unchanged, and in their places, in the new one. An
// old checkpoint of no entries is consistent with all. The error wraps ibid.ErrInvalid.
func CheckConsistency(old, now Checkpoint, proof []Hash) error {
	switch {
	case old.Origin != now.Origin:
		return fmt.Errorf("checkpoints of two logs, %s and %s: %w", old.Origin, now.Origin, ibid.ErrInvalid)
	case old.Size > now.Size:
		return fmt.Errorf("the log had %d entries and now has %d: entries were removed, or this is an older checkpoint: %w", old.Size, now.Size, ibid.ErrInvalid)
	case old.Size == now.Size && old.Root != now.Root:
		return fmt.Errorf("two different logs of %d entries: entries were changed: %w", now.Size, ibid.ErrInvalid)
	case old.Size == 0 || old.Size == now.Size:
		return nil
	case tlog.CheckTree(toTlog(proof), now.Size, tlog.Hash(now.Root), old.Size, tlog.Hash(old.Root)) != nil:
		return fmt.Errorf("the first %d of %d entries are not shown to be those seen before: they were changed, or the proof is for others: %w", old.Size, now.Size, ibid.ErrInvalid)
	}
	return nil
}

func fromTlog(hashes []tlog.Hash) []Hash {
	out := make([]Hash, len(hashes))
	for i, h := range hashes {
		out[i] = Hash(h)
	}
	return out
}

func toTlog(hashes []Hash) []tlog.Hash {
	out := make([]tlog.Hash, len(hashes))
	for i, h := range hashes {
		out[i] = tlog.Hash(h)
	}
	return out
}
