graph [
  directed 1
  node [
    id 0
    label "a"
  ]
  node [
    id 1
    label "b"
  ]
  node [
    id 2
    label "c"
  ]
  node [
    id 3
    label "d e"
  ]
  node [
    id 4
    label "alone"
  ]
  edge [
    source 0
    target 1
    weight 1.5
  ]
  edge [
    source 0
    target 3
    weight 4
  ]
  edge [
    source 1
    target 2
    weight 2
  ]
  edge [
    source 2
    target 0
    weight 0.25
  ]
]
