package gpu

import "errors"

// Probe describes the device that the options name and tells how many bytes of its
// memory are free, or says why there is no device.
func Probe(o Options) (name string, free int64, err error) {
	d, err := open(&o)
	if err != nil {
		return "", 0, err
	}
	free, _, err = d.Memory()
	return d.Name(), free, errors.Join(err, d.Close())
}
