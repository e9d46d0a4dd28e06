# Homebrew formula: brew install --formula ./hops.rb
class Hops < Formula
  desc "{{.Summary}}"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.Homepage}}/releases/download/v{{.Version}}/hops-{{.Version}}-darwin-arm64.tar.gz"
      sha256 "{{sha256 "-darwin-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.Homepage}}/releases/download/v{{.Version}}/hops-{{.Version}}-darwin-amd64.tar.gz"
      sha256 "{{sha256 "-darwin-amd64.tar.gz"}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Homepage}}/releases/download/v{{.Version}}/hops-{{.Version}}-linux-arm64.tar.gz"
      sha256 "{{sha256 "-linux-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.Homepage}}/releases/download/v{{.Version}}/hops-{{.Version}}-linux-amd64.tar.gz"
      sha256 "{{sha256 "-linux-amd64.tar.gz"}}"
    end
  end

  def install
    bin.install "hops"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/hops.bash" => "hops"
    zsh_completion.install "completions/_hops"
    fish_completion.install "completions/hops.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hops version")
    assert_match "Score", shell_output("#{bin}/hops graph500 --scale 10")
  end
end
