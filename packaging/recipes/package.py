# Spack recipe: repository/packages/hops/package.py
from spack.package import *


class Hops(GoPackage):
    """Breadth-first search on large graphs, and the Graph500 benchmark."""

    homepage = "{{.Homepage}}"
    url = "{{.Homepage}}/releases/download/v{{.Version}}/hops-{{.Version}}.tar.gz"

    license("Apache-2.0")

    version("{{.Version}}", sha256="{{sha256 ".tar.gz"}}")

    variant("mpi", default=True, description="engines cluster and grid over MPI")

    depends_on("go@1.26:", type="build")
    depends_on("mpi", type="run", when="+mpi")

    build_directory = "cmd/hops"

    def setup_build_environment(self, env):
        env.set("CGO_ENABLED", "0")
