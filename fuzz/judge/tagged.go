package judge

import "phpwire/codec"

// Tagged judges the tagged JSON of a value (clauses T-1 to T-4): it is read back
// as the value, and read strictly unless numeric says that it has a string key
// that is an int to PHP.
func Tagged(v Value, numeric bool) *Finding {
	loose, err := codec.ParseTaggedKeys(v.Tagged)
	if err != nil || !loose.Equal(v.Value) {
		return &Finding{"P1", "T-1", "tagged JSON is read as another value", "Tagged JSON is not read as the value that it stands for", -1,
			differences(v.Value, loose)}
	}
	strict, err := codec.ParseTagged(v.Tagged)
	switch {
	case numeric && err == nil:
		return &Finding{"P3", "T-4", "a numeric string key is read", "Tagged JSON with a string key that is an int was not refused", -1, nil}
	case !numeric && err != nil:
		return &Finding{"P1", "T-1", "tagged JSON is refused", "The tagged JSON of a value is refused: " + err.Error(), -1, nil}
	case !numeric && !strict.Equal(v.Value):
		return &Finding{"P1", "T-1", "tagged JSON is read as another value", "Tagged JSON is not read as the value that it stands for", -1,
			differences(v.Value, strict)}
	}
	return nil
}
