import type { GuestWayV1 } from "@capstan/contract/v1";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Kubelets } from "../src/controllers/kubelets.ts";
import { passage } from "../src/network/passage.ts";
import { strictMachine } from "./strict-machine.ts";

/** A machine whose cloud lets through what `open` says. */
const machineBehind = (open: (way: GuestWayV1) => boolean, image?: string) => strictMachine(image, { passes: open });

const repository = "deb [trusted=yes] https://pkgs.k8s.io/core:/stable:/v1.35/deb/ /";

describe("a machine whose cloud drops what it sends", () => {
  const isQuestion = ({ protocol }: GuestWayV1): boolean => protocol === "UDP";

  it.each([
    [
      "curl -fsSL https://pkgs.k8s.io/core:/stable:/v1.35/deb/Release.key",
      28,
      "curl: (28) Failed to connect to pkgs.k8s.io port 443 after 130000 ms: Connection timed out\n",
    ],
    [
      "curl -fsSL http://10.9.8.7:8080/x",
      28,
      "curl: (28) Failed to connect to 10.9.8.7 port 8080 after 130000 ms: Connection timed out\n",
    ],
    [
      "echo x > /report; curl --upload-file /report http://192.0.2.1:9000/report",
      28,
      "curl: (28) Failed to connect to 192.0.2.1 port 9000 after 130000 ms: Connection timed out\n",
    ],
    ["curl -fsSL https://example.com/x", 6, "curl: (6) Could not resolve host: example.com\n"],
    [
      `echo '${repository}' > /etc/apt/sources.list.d/k.list; apt-get update && apt-get install -y kubeadm`,
      100,
      "Could not connect to pkgs.k8s.io:443, connection timed out",
    ],
    ["apt-get update && apt-get install -y kubeadm", 100, "E: Unable to locate package kubeadm\n"],
  ])("is told so: %s", async (script, status, err) => {
    const ran = await machineBehind(isQuestion).run(script);
    expect(ran.err).toContain(err);
    expect(ran.status).toBe(status);
  });

  it("is told so by dnf", async () => {
    const { run } = machineBehind(isQuestion, "linode/rocky9");
    await run(
      "printf '[k]\\nbaseurl=https://pkgs.k8s.io/core:/stable:/v1.35/rpm/\\nenabled=1\\n' > /etc/yum.repos.d/system.repo",
    );
    expect((await run("dnf install -y kubeadm")).err).toContain("Curl error (28): Timeout was reached");
  });

  it("resolves nothing where it does not get to its resolver", async () => {
    const { run } = machineBehind(({ protocol }) => protocol !== "UDP");
    expect((await run("curl -fsSL https://dl.k8s.io/release/stable.txt")).err).toBe(
      "curl: (6) Could not resolve host: dl.k8s.io\n",
    );
  });

  it("gets what its firewalls let through, and all of itself", async () => {
    const { machine, run } = machineBehind(({ port, protocol }) => protocol === "UDP" || port === 443);
    expect(await run("curl -fsSL https://get.k3s.io -o /dev/null")).toMatchObject({ status: 0 });
    expect(await run("curl -fsSL http://get.k3s.io -o /dev/null")).toMatchObject({ status: 28 });
    expect(passage(machine, new URL("http://localhost:10248"))).toBe("open");
    expect(passage(machine, new URL("https://127.0.0.1:6443"))).toBe("open");
  });
});

it("a kubelet that does not get to its API server is silent, until it does", async () => {
  const clock = fakeClock();
  const kubelets = new Kubelets(clock);
  let isOpen = true;
  const changes: string[] = [];
  kubelets.subscribe((node) => void changes.push(node));
  const disk = { text: () => undefined };
  kubelets.start({ node: "far", address: "127.0.0.2", disk, reachesServer: () => isOpen });
  expect(kubelets.hear().map(({ node }) => node)).toEqual(["far"]);
  isOpen = false;
  expect([kubelets.hear(), kubelets.heard("far"), kubelets.get("far")?.node]).toEqual([[], undefined, "far"]);
  await clock.advance(45_000);
  expect(kubelets.silentMs("far")).toBe(45_000);
  isOpen = true;
  expect(kubelets.hear()).toHaveLength(1);
  expect(kubelets.silentMs("far")).toBe(0);
  expect(changes).toEqual(["far", "far", "far"]);
});
