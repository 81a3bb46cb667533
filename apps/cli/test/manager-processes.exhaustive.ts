import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";
import { ClusterResource } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { createManagedWorld, names, type ManagedWorld } from "./managed-world.ts";
import { aloneExample } from "./alone.ts";

const repository = join(import.meta.dirname, "../../..");

interface Event {
  readonly type: string;
  readonly message: string;
}

/** A `capstan manager` in a process of its own. One that ends by itself, as without its Lease it must, is started again. */
interface ManagerProcess extends AsyncDisposable {
  readonly events: readonly Event[];
  /** Resolves to the exit status, or to the signal that ended it. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | string>;
}

const startProcess = (world: ManagedWorld, ...args: readonly string[]): ManagerProcess => {
  const command = [
    "manager",
    "--kubeconfig",
    world.kubeconfig,
    "--diagnostics-address",
    "off",
    "-o",
    "json",
    "--allow-address",
    "127.0.0.0/8",
    ...args,
  ];
  const events: Event[] = [];
  let wanted = true;
  const start = (): { readonly child: ChildProcess; readonly ended: Promise<number | string> } => {
    const child = spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...command], {
      cwd: repository,
      stdio: ["ignore", "pipe", "ignore"],
    });
    createInterface({ input: child.stdout }).on("line", (line) => events.push(JSON.parse(line) as Event));
    const ended = once(child, "exit").then(([status, signal]) => {
      if (wanted) current = start();
      return (status ?? signal) as number | string;
    });
    return { child, ended };
  };
  let current = start();
  const end = (signal: "SIGKILL" | "SIGTERM"): Promise<number | string> => {
    wanted = false;
    current.child.kill(signal);
    return current.ended;
  };
  return {
    events,
    end,
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
    },
  };
};

const until = (condition: () => boolean | Promise<boolean>) =>
  expect.poll(condition, { timeout: 200_000, interval: 50 }).toBe(true);

const says = ({ events }: ManagerProcess, type: string) => until(() => events.some((event) => event.type === type));

const Lease = resource({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });

const holderOf = async (world: ManagedWorld, name: string): Promise<string | undefined> => {
  const lease = await world.admin.find<KubeObject>(Lease, { namespace: "capstan-system", name });
  return (lease?.["spec"] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
};

const newWorld = () => createManagedWorld({ clock: systemClock, random: cryptoRandom, pass: (work) => work });

/** Shorter than usual, and long enough for processes that have to share a processor. */
const briefLease = ["--lease-duration", "8s", "--renew-deadline", "7s", "--retry-period", "500ms"];

describe("managers in processes of their own", () => {
  it("make a cluster together; one that is killed goes on where it was, and nothing is made twice", async () => {
    await using world = await newWorld();
    await world.install();
    const created: string[] = [];
    world.simulator.requests.subscribe(({ method, path, status }) => {
      if (method === "POST" && (status ?? 500) < 300 && /(^|\/)(instances|nodebalancers)$/.test(path)) {
        created.push(path);
      }
    });
    const start = (name: string) => startProcess(world, "--providers", name, ...briefLease);
    await using core = start(names[0]);
    await using bootstrap = start(names[1]);
    await using linode = start(names[2]);
    for (const each of [core, bootstrap, linode]) await says(each, "ready");
    await world.apply(aloneExample());
    await until(() => world.simulator.state.instances.length > 0);
    expect(await linode.end("SIGKILL")).toBe("SIGKILL");
    await using again = start(names[2]);
    await until(() => world.simulator.state.instances.length > 1);
    expect(await core.end("SIGKILL")).toBe("SIGKILL");
    await using coreAgain = start(names[0]);
    await until(() => world.running() === 4);
    expect(world.simulator.state.instances).toHaveLength(4);
    expect(world.simulator.state.nodeBalancers).toHaveLength(1);
    expect(created).toHaveLength(5);

    await world.admin.delete(ClusterResource, { namespace: "default", name: "orchid" });
    await until(() => world.cache.list(ClusterResource).length === 0);
    expect(world.simulator.state.instances).toEqual([]);
    for (const each of [coreAgain, bootstrap, again]) expect(await each.end("SIGTERM")).toBe(0);
    for (const name of names) expect(await holderOf(world, `capstan-${name}`)).toBeUndefined();
  }, 600_000);

  it("take turns: a standby works once the leader hands over, or is gone", async () => {
    await using world = await newWorld();
    await world.install();
    const start = () => startProcess(world, "--providers", "core", ...briefLease);
    await using first = start();
    await says(first, "ready");
    const leader = await holderOf(world, "capstan-core");
    await using second = start();
    await says(second, "standby");
    expect(await holderOf(world, "capstan-core")).toBe(leader);
    expect(second.events.some(({ type }) => type === "ready")).toBe(false);
    expect(await first.end("SIGTERM")).toBe(0);
    await says(second, "ready");
    await using third = start();
    await says(third, "standby");
    expect(await second.end("SIGKILL")).toBe("SIGKILL");
    await says(third, "ready");
    expect(await third.end("SIGTERM")).toBe(0);
  }, 600_000);
});
