module github.com/gohops/hops/packaging

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/google/rpmpack v0.7.1
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	go.yaml.in/yaml/v3 v3.0.5
)

require (
	github.com/cavaliergopher/cpio v1.0.1 // indirect
	github.com/klauspost/compress v1.18.0 // indirect
	github.com/klauspost/pgzip v1.2.6 // indirect
	github.com/ulikunitz/xz v0.5.12 // indirect
	golang.org/x/text v0.14.0 // indirect
)
