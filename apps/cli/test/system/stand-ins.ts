/** What makes one step of an installation fail. */
export type Fault = "checksum" | "cis" | "download" | "installer" | "service";

type Placed = Readonly<Record<string, { readonly content: string; readonly mode?: number }>>;

/** Says how it was called, and fails where it is asked to. */
const installer = (name: string, starts: boolean): string => `#!/bin/sh
echo "install ${name} $(env | grep ^INSTALL_ | sort | tr '\\n' ' ')" >>/run/recorded-calls
if [ -e /opt/faults/installer ]; then
  echo "[ERROR]  Failed to unpack ${name}" >&2
  exit 1
fi
${starts ? `[ ! -e /opt/faults/service ] || { echo "Job for ${name}.service failed because the control process exited with error code." >&2; exit 1; }` : "true"}
`;

/** Downloads the installers, and takes reports. As the real one it is silent with \`-s\`, unless its settings say otherwise. */
const curl = `#!/bin/sh
echo "curl $*" >>/run/recorded-calls
target= upload= url= loud=
grep -qs '^show-error' /root/.curlrc && loud=yes
while [ $# -gt 0 ]; do
  case "$1" in
    -o) target=$2; shift ;;
    --upload-file) upload=$2; shift ;;
    --header | --retry | --connect-timeout | --max-time) shift ;;
    --show-error) loud=yes ;;
    http*) url=$1 ;;
  esac
  shift
done
if [ -n "$upload" ]; then
  cp "$upload" /opt/report
  exit 0
fi
if [ -e /opt/faults/download ]; then
  [ -z "$loud" ] || echo "curl: (6) Could not resolve host: \${url#https://}" >&2
  exit 6
fi
cp "/opt/installers/\${url#https://}" "$target"
`;

const systemctl = `#!/bin/sh
echo "systemctl $*" >>/run/recorded-calls
[ "$1" = start ] && [ -e /opt/faults/service ] || exit 0
echo "Job for $2 failed because the control process exited with error code." >&2
exit 1
`;

const program = (content: string) => ({ content, mode: 0o755 });

/** The list of what an image has for installation without a network. */
export const artifacts = "0123456789abcdef  rke2.linux-amd64.tar.gz\n";

/** Programs and files around an installation. With a fault, one step of it fails. */
export const standIns = (fault?: Fault): Placed => ({
  "/usr/local/bin/curl": program(curl),
  "/usr/local/bin/systemctl": program(systemctl),
  "/opt/installers/get.rke2.io": program(installer("rke2", false)),
  "/opt/installers/get.k3s.io": program(installer("k3s", true)),
  "/opt/install.sh": program(installer("from the image", false)),
  "/opt/rke2-artifacts/sha256sum-amd64.txt": { content: fault === "checksum" ? "other\n" : artifacts },
  ...(fault !== "cis" && {
    "/usr/local/share/rke2/rke2-cis-sysctl.conf": { content: "vm.panic_on_oom=0\n" },
  }),
  ...(fault !== undefined && { [`/opt/faults/${fault}`]: { content: "" } }),
});
