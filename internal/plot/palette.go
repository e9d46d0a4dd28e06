package plot

import "image/color"

// A role is what a colour is for. Backends choose the colour.
type role uint8

const (
	none  role = iota
	ink        // titles and axes
	faint      // labels of ticks, notes
	grid       // lines behind the data
	paper      // background
	first      // the first series; the others follow
)

// styles is the number of different styles of series.
const styles = 7

// names are the names of the roles in style sheets.
var names = [...]string{"none", "ink", "faint", "grid", "paper", "1", "2", "3", "4", "5", "6", "7"}

// The colours of series are those of Okabe and Ito, which people with any of
// the common kinds of colour blindness can tell apart; grey replaces yellow, which is
// hard to see on white. On a dark background they are lighter.
var (
	light = [...]string{"", "#1b1f24", "#57606a", "#d8dee4", "#ffffff", "#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#6e7781"}
	dark  = [...]string{"", "#e6edf3", "#9aa4af", "#30363d", "#0d1117", "#4aa8e0", "#f0803c", "#2fc79c", "#f0b73a", "#8ccdf4", "#e29dc3", "#a0a8b2"}
)

// dashes are the dashes of each style; the first is a solid line.
var dashes = [styles][]float64{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}, {4, 4}, {12, 4}, {2, 2, 6, 2}}

func ofSeries(style int) role { return first + role(style) }

// rgb parses a colour of the tables above.
func rgb(hex string) color.RGBA {
	digit := func(i int) uint8 {
		value := func(c byte) uint8 {
			if c >= 'a' {
				return c - 'a' + 10
			}
			return c - '0'
		}
		return value(hex[i])<<4 | value(hex[i+1])
	}
	return color.RGBA{digit(1), digit(3), digit(5), 255}
}
