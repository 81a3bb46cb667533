import { describe, expect, it } from "vitest";
import { strictMachine } from "./strict-machine.ts";

const lenient = () => strictMachine("linode/ubuntu22.04", { lenient: true });

describe("the shell of a lenient machine", () => {
  it.each([
    "no-such-program --at all",
    "/opt/none/install && none",
    "apt-get update && apt-get install -y kubeadm=1.34.2-1.1",
    "curl -fsSL https://example.test/x | bash -s v1",
    "curl -fsSL https://example.test/x -o /opt/x && chmod +x /opt/x && sh /opt/x",
    "systemctl restart containerd && modprobe nothing && sysctl -w a.b=c && swapoff -a",
    "kubectl apply -f https://example.test/x.yaml",
    "snap install kubeadm --classic",
  ])("counts as success: %s", async (script) => {
    const { err, out, status } = await lenient().run(script, "dash");
    expect(status, err).toBe(0);
    expect(out).toBe("");
  });

  it("names what it does not know", async () => {
    expect((await lenient().run("no-such-program")).err).toBe(
      "no-such-program: the model does not know what it does, and takes it as done\n",
    );
  });

  it("is a shell all the same", async () => {
    const { disk, run } = lenient();
    expect(await run("set -e; x=$(echo a | tr a b); for i in 1 2; do echo $x$i; done; false; echo on")).toMatchObject({
      out: "b1\nb2\n",
      status: 1,
    });
    expect(await run("kubeadm init && { no-such-program || false; } && echo success > /run/done")).toMatchObject({
      status: 0,
    });
    expect(disk.text("/run/done")).toBe("success\n");
    expect(await run("if true; then echo a", "dash")).toMatchObject({ status: 2 });
  });
});
