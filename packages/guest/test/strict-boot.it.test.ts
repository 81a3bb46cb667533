import { recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";

const clock = recentClock();

const booted = async (userData: string, image = "linode/ubuntu22.04") => {
  const host = createGuestHost({ clock, random: seededRandom(4) });
  let over = false;
  const request = { id: "1", metadata: {}, address: "127.0.0.1", providerID: "", image };
  void host.boot({ ...request, userData: Buffer.from(userData).toString("base64") }).then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 1000, maxMs: 900_000 });
  const [log, disk] = [host.console("1"), host.disk("1")];
  await host.stop();
  return { log, disk };
};

it("has no kubeadm in a stock image, says so, and goes on with the next command", async () => {
  const { disk, log } = await booted(
    "#cloud-config\nruncmd: ['kubeadm init --config /x && echo success > /run/done', 'echo later > /run/later', 'false']\n",
  );
  expect(log).toContain("cloud-init: /var/lib/cloud/instance/scripts/runcmd: 2: kubeadm: not found\n");
  expect(log).toContain("Failed running /var/lib/cloud/instance/scripts/runcmd [1]");
  expect(disk?.text("/run/later")).toBe("later\n");
  expect(disk?.stat("/run/done")).toBeUndefined();
});

it("runs all commands as one script, which set -e ends", async () => {
  const { disk, log } = await booted(
    "#cloud-config\nruncmd: ['set -e', 'cd /tmp', 'echo 1 > one', 'none', 'echo 2 > two']\n",
  );
  expect(disk?.text("/tmp/one")).toBe("1\n");
  expect(disk?.stat("/tmp/two")).toBeUndefined();
  expect(log).toContain("runcmd [127]");
});

it("runs nothing after a command that ends the script where it fails, but the scripts that come later", async () => {
  const { log } = await booted(
    "#cloud-config\nruncmd: ['apt-get install -y kubeadm || exit 1', 'kubeadm init --config /x && echo success > /run/done']\n",
  );
  expect(log).toContain("E: Unable to locate package kubeadm");
  expect(log).not.toContain("kubeadm: not found");
  expect(log).toContain("Failed running /var/lib/cloud/instance/scripts/runcmd [1]");
});

it("runs scripts in the order of their names, around the commands", async () => {
  const part = (type: string, name: string, text: string): string =>
    `--X\nContent-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\n\n${text}\n`;
  const { disk } = await booted(
    `Content-Type: multipart/mixed; boundary="X"\nMIME-Version: 1.0\n\n${part("text/x-shellscript", "zz", "#!/bin/sh\necho zz >> /run/order")}${part("text/cloud-config", "c", "#cloud-config\nruncmd: ['echo runcmd >> /run/order']")}${part("text/x-shellscript", "aa", "#!/bin/sh\necho aa >> /run/order")}--X--\n`,
  );
  expect(disk?.text("/run/order")).toBe("aa\nruncmd\nzz\n");
});

it("keeps what was installed over a restart, and starts what was enabled", async () => {
  const host = createGuestHost({ clock, random: seededRandom(4), bootMs: 0 });
  const request = { id: "1", metadata: {}, address: "127.0.0.1", providerID: "", image: "linode/ubuntu22.04" };
  const document =
    "#cloud-config\nruncmd: ['apt-get update && apt-get install -y containerd', 'modprobe overlay', 'rm /usr/bin/wget']\n";
  const boot = async (): Promise<void> => {
    let over = false;
    void host.boot({ ...request, userData: Buffer.from(document).toString("base64") }).then(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs: 1000, maxMs: 900_000 });
  };
  await boot();
  await host.shutdown("1", { keepDisk: true });
  await boot();
  const ran = await host.run("1", "systemctl is-active containerd; command -v containerd; lsmod; command -v wget");
  expect(ran).toEqual({ exitCode: 127, stdout: "active\n/usr/bin/containerd\n", stderr: "" });
  await host.stop();
});
