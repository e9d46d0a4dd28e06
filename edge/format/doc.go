// Package format reads graphs from the files that people have.
package format
