import { describe, expect, it } from "vitest";
import { strictMachine } from "./strict-machine.ts";

/** What the documents of Kubernetes tell people to do on Debian and Ubuntu. */
const aptScript = `#!/bin/bash
set -euo pipefail
version=v1.34.2
minor="$(echo "$version" | cut -d. -f1,2)"
package="$(echo "$version" | tr -d v)-*"
export DEBIAN_FRONTEND=noninteractive
. /etc/os-release
printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/kubernetes.conf
modprobe overlay
modprobe br_netfilter
printf 'net.bridge.bridge-nf-call-iptables = 1\\nnet.ipv4.ip_forward = 1\\n' > /etc/sysctl.d/kubernetes.conf
sysctl --system
swapoff -a
sed -i '/\\sswap\\s/s/^/#/' /etc/fstab
mkdir -p -m 755 /etc/apt/keyrings /etc/containerd
apt-get update
apt-get install -y ca-certificates curl gpg
curl -fsSL --retry 5 "https://pkgs.k8s.io/core:/stable:/$minor/deb/Release.key" | gpg --batch --yes --dearmor -o /etc/apt/keyrings/kubernetes.gpg
curl -fsSL --retry 5 "https://download.docker.com/linux/$ID/gpg" -o /etc/apt/keyrings/docker.asc
echo "deb [signed-by=/etc/apt/keyrings/kubernetes.gpg] https://pkgs.k8s.io/core:/stable:/$minor/deb/ /" > /etc/apt/sources.list.d/kubernetes.list
echo "deb [signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/$ID $VERSION_CODENAME stable" > /etc/apt/sources.list.d/docker.list
apt-get update
apt-get install -y containerd.io conntrack ethtool socat "kubelet=$package" "kubeadm=$package" "kubectl=$package"
apt-mark hold kubelet kubeadm kubectl
containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' > /etc/containerd/config.toml
systemctl restart containerd
systemctl enable kubelet
`;

const repository = (minor: string): string =>
  `curl -fsSL https://pkgs.k8s.io/core:/stable:/${minor}/deb/Release.key | gpg --dearmor -o /etc/apt/keyrings/k.gpg
echo 'deb [signed-by=/etc/apt/keyrings/k.gpg] https://pkgs.k8s.io/core:/stable:/${minor}/deb/ /' > /etc/apt/sources.list.d/k.list
apt-get update`;

describe("a bare machine", () => {
  it.each([
    "linode/ubuntu22.04",
    "linode/ubuntu24.04",
    "linode/debian12",
    "canonical:0001-com-ubuntu-server-jammy:22_04-lts:latest",
  ])("of %s becomes a node by packages", async (image) => {
    const { disk, run, software } = strictMachine(image);
    expect(software.programs.get("kubeadm")).toBeUndefined();
    const { err, status } = await run(aptScript);
    expect(status, err).toBe(0);
    expect(
      ["kubeadm", "kubelet", "kubectl", "containerd", "crictl"].map((name) => software.programs.get(name)),
    ).toEqual(["v1.34.2", "v1.34.2", "v1.34.2", "2.1.5", "v1.34.0"]);
    expect(software.services.get("containerd")).toEqual({ enabled: true, running: true });
    expect(software.services.get("kubelet")?.enabled).toBe(true);
    expect(software.settings.get("net.ipv4.ip_forward")).toBe("1");
    expect([...software.modules]).toEqual(["overlay", "br_netfilter"]);
    expect(software.swap).toBe(false);
    expect(disk.stat("/opt/cni/bin/bridge")).toBeDefined();
    expect(disk.text("/etc/containerd/config.toml")).toContain("SystemdCgroup = true");
  });

  it("becomes a node by the script of the published templates at Linode", async () => {
    const { run, software } = strictMachine();
    const url = "https://github.com/linode/cluster-api-provider-linode/raw/0123456789/scripts/pre-kubeadminit.sh";
    const { err, status } = await run(`curl -fsSL ${url} | bash -s v1.34.2`, "dash");
    expect(status, err).toBe(0);
    expect(software.programs.get("kubeadm")).toBe("v1.34.2");
    expect(software.programs.get("containerd")).toBe("2.1.4");
    expect(software.services.get("kubelet")).toEqual({ enabled: true, running: true });
    expect(software.swap).toBe(false);
  });

  it("gets k3s and RKE2 from their releases, whose sums are right, and the newest of a channel", async () => {
    const { disk, run, software } = strictMachine();
    const github = "https://github.com";
    const { err, out, status } = await run(`set -e
release=${github}/k3s-io/k3s/releases/download/v1.35.4+k3s1
curl -sfLo /usr/local/bin/k3s $release/k3s
expected=$(curl -sfL $release/sha256sum-amd64.txt | grep ' k3s$')
[ "\${expected%%[[:blank:]]*}" = "$(sha256sum /usr/local/bin/k3s | cut -d' ' -f1)" ] || exit 9
chmod 755 /usr/local/bin/k3s
ln -s k3s /usr/local/bin/kubectl
release=${github}/rancher/rke2/releases/download/v1.35.4%2Brke2r1
cd /tmp
curl -sfLO --remote-name-all "$release/{rke2.linux-amd64.tar.gz,sha256sum-amd64.txt}"
[ "$(awk '{print $1}' sha256sum-amd64.txt)" = "$(sha256sum rke2.linux-amd64.tar.gz | awk '{print $1}')" ] || exit 8
tar xzf rke2.linux-amd64.tar.gz -C /usr/local
curl -w '%{url_effective}' -Ls https://update.k3s.io/v1-release/channels/v1.34 -o /dev/null | sed 's|.*/||'
`);
    expect(status, err).toBe(0);
    expect(out).toMatch(/^v1\.34\.\d+\+k3s1$/);
    expect(["k3s", "kubectl", "rke2"].map((name) => software.programs.get(name))).toEqual([
      "v1.35.4+k3s1",
      "v1.35.4+k3s1",
      "v1.35.4+rke2r1",
    ]);
    expect(disk.text("/usr/local/lib/systemd/system/rke2-agent.service")).toContain(
      "ExecStart=/usr/local/bin/rke2 agent",
    );
    expect(await run("curl -sfL https://github.com/k3s-io/k3s/releases/download/v1.99.0+k3s1/k3s")).toMatchObject({
      status: 22,
    });
  });

  it("gets RKE2 from its repository of packages, and knows what is installed", async () => {
    const { disk, run, software } = strictMachine("linode/rocky9");
    const base = "https://rpm.rancher.io/rke2/stable";
    const repository = (path: string): string =>
      `[${path.slice(0, 4)}]\nbaseurl=${base}/${path}\nenabled=1\ngpgcheck=1\ngpgkey=https://rpm.rancher.io/public.key\n`;
    disk.write(
      "/etc/yum.repos.d/rke2.repo",
      `${repository("common/centos/9/noarch")}${repository("1.35/centos/9/x86_64")}`,
    );
    expect(await run("rpm -q rke2-server || yum install -y rke2-server-1.35.4~rke2r1")).toMatchObject({ status: 0 });
    expect(software.programs.get("rke2")).toBe("v1.35.4+rke2r1");
    expect(disk.text("/usr/lib/systemd/system/rke2-server.service")).toContain("ExecStart=/usr/bin/rke2 server");
    expect((await run("rpm -q rke2-server rke2-selinux nothing; . /etc/os-release; echo ${ID_LIKE%% *}")).out).toBe(
      "rke2-server-1.35.4~rke2r1-0.x86_64\nrke2-selinux-0.22-1.x86_64\npackage nothing is not installed\nrhel\n",
    );
    expect(await run("rpm -q --quiet nothing")).toMatchObject({ status: 1, out: "" });
  });

  it("becomes a node by dnf and by zypper", async () => {
    const rocky = strictMachine("linode/rocky9");
    const repo = `[kubernetes]
name=Kubernetes
baseurl=https://pkgs.k8s.io/core:/stable:/v1.34/rpm/
enabled=1
gpgcheck=1
gpgkey=https://pkgs.k8s.io/core:/stable:/v1.34/rpm/repodata/repomd.xml.key
exclude=kubelet kubeadm kubectl`;
    await rocky.run(`cat > /etc/yum.repos.d/kubernetes.repo << EOF\n${repo}\nEOF`);
    expect(await rocky.run("dnf install -y kubeadm")).toMatchObject({
      status: 1,
      err: "Error: Unable to find a match: kubeadm\n",
    });
    expect(await rocky.run("dnf install -y kubelet-1.34.2 kubeadm-1.34.2 --disableexcludes=kubernetes")).toMatchObject({
      status: 0,
    });
    expect(rocky.software.programs.get("kubelet")).toBe("v1.34.2");
    expect(rocky.software.services.get("kubelet")).toBeUndefined();
    expect(await rocky.run("systemctl enable --now kubelet")).toMatchObject({ status: 0 });

    const suse = strictMachine("linode/opensuse15.6");
    expect(await suse.run("zypper -n install kubeadm")).toMatchObject({ status: 104 });
    await suse.run("zypper addrepo https://pkgs.k8s.io/core:/stable:/v1.34/rpm/ kubernetes");
    expect(await suse.run("zypper -n install kubeadm containerd && systemctl enable --now containerd")).toMatchObject({
      status: 0,
    });
    expect(suse.software.programs.has("kubeadm")).toBe(true);
  });

  it.each([
    ["apt-get install -y containerd", 100, "E: Unable to locate package containerd\n"],
    ["apt-get update && apt-get install -y kubeadm", 100, "E: Unable to locate package kubeadm\n"],
    [
      "echo 'deb https://pkgs.k8s.io/core:/stable:/v1.34/deb/ /' > /etc/apt/sources.list.d/k.list; apt-get update",
      100,
      "is not signed",
    ],
    [
      `${repository("v1.34")} && apt-get install -y kubeadm=1.33.0-1.1`,
      100,
      "E: Version '1.33.0-1.1' for 'kubeadm' was not found\n",
    ],
    [
      "mkdir -p /etc/apt/keyrings; curl -fsSL https://pkgs.k8s.io/core:/stable:/v1.34/deb/Release.key -o /etc/apt/keyrings/k.gpg; echo 'deb [signed-by=/etc/apt/keyrings/k.gpg] https://pkgs.k8s.io/core:/stable:/v1.34/deb/ /' > /etc/apt/sources.list.d/k.list; apt-get update",
      100,
      "NO_PUBKEY",
    ],
    [
      "echo 'deb https://apt.kubernetes.io/ kubernetes-xenial main' > /etc/apt/sources.list.d/k.list; apt-get update",
      0,
      "Could not resolve",
    ],
    [
      "echo 'deb foo' > /etc/apt/sources.list.d/k.list; apt-get update",
      100,
      "E: Malformed entry 1 in list file /etc/apt/sources.list.d/k.list (URI)",
    ],
    [
      `${repository("v1.34")} && apt-get install -y kubeadm=1.34.1-1.1 && apt-mark hold kubeadm && apt-get install -y kubeadm=1.34.2-1.1`,
      100,
      "E: Held packages were changed",
    ],
    ["snap install kubeadm --classic", 1, 'error: snap "kubeadm" not found\n'],
    ["systemctl restart containerd", 5, "Failed to restart containerd.service: Unit containerd.service not found.\n"],
    ["systemctl enable kubelet", 1, "Failed to enable unit: Unit file kubelet.service does not exist.\n"],
    ["sysctl -w net.bridge.bridge-nf-call-iptables=1", 255, "No such file or directory\n"],
    [
      "curl -s https://dl.k8s.io/release/v1.34.2/bin/linux/amd64/kubeadm -o /usr/local/bin/kubeadm && chmod +x /usr/local/bin/kubeadm && kubeadm version",
      1,
      "kubeadm",
    ],
    [
      "curl -fsSL https://github.com/containerd/containerd/releases/download/v1.7.0/none.tar.gz | tar -xz -C /usr/local",
      2,
      "not in gzip format",
    ],
    ["wget -q https://none.example/x", 4, "unable to resolve host address"],
  ])("is told in %s", async (script, status, err) => {
    const { run } = strictMachine();
    const ran = await run(script);
    expect(ran.err).toContain(err);
    expect(ran.status).toBe(status);
  });

  it("has Kubernetes where its image was made for it", () => {
    for (const image of [
      "cluster-api-ubuntu-2204-v1.34.2",
      "https://images.example/ubuntu-2204-kube-v1.34.2.gz",
      "ghcr.io/tinkerbell/cluster-api-provider-tinkerbell/ubuntu-2204:v1.34.2.gz",
      "/communityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/images/capi-ubun2-2404/versions/1.34.2",
      "cncf-upstream:capi:ubuntu-2204-gen1:134.2.20251101",
    ]) {
      const { software } = strictMachine(image);
      expect([image, software.programs.get("kubeadm")]).toEqual([image, "v1.34.2"]);
      expect(software.services.get("containerd")?.running).toBe(true);
      expect(software.settings.get("net.ipv4.ip_forward")).toBe("1");
    }
  });
});
