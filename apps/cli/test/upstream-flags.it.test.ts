import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { silentView } from "../src/embedded-up.ts";
import { createProgram } from "../src/program.ts";
import type { View } from "../src/view/view.ts";
import { createManagedWorld, type ManagedWorld, nothingOutside } from "./managed-world.ts";
import { upstreamDeployments } from "./upstream-deployments.ts";

/** What the command makes of arguments. */
const parsed = async (args: readonly string[]): Promise<ManagerOptions> => {
  const errors: string[] = [];
  let options: ManagerOptions | undefined;
  const program = createProgram({
    manager: async (given) => {
      options = given;
      return 0;
    },
    writeError: (text) => void errors.push(text),
  });
  const status = await program.run(["manager", ...args]);
  expect([status, ...errors]).toEqual([0]);
  return options as ManagerOptions;
};

const deployments = Object.entries(upstreamDeployments);

describe("the arguments of upstream's Deployments", () => {
  let world: ManagedWorld;

  beforeAll(async () => {
    world = await createManagedWorld({ clock: systemClock, random: cryptoRandom, pass: (work) => work });
    await world.install({ providers: await createProviders(providerNames, nothingOutside) });
  }, 60_000);

  afterAll(() => world[Symbol.asyncDispose]());

  it.each(deployments)("%s start a manager", async (_name, { args, provider }) => {
    // Several run one after the other on this host, at ports of its choice.
    const local = args.map((arg) => arg.replace(/(-addr(?:ess)?=).*$/, "$1127.0.0.1:0"));
    const options = await parsed([`--providers=${provider}`, ...local]);
    expect(options).toMatchObject({ providers: [provider], leaderElect: true });
    const started = await world.start(options, { access: world.adminAccess });
    await started.manager.ready();
    await started.stop();
    expect(world.failures).toEqual([]);
  });

  it("say what they say here", async () => {
    const of = (name: string) => parsed(upstreamDeployments[name]?.args ?? []);
    expect(await of("kubeadm bootstrap")).toMatchObject({
      diagnostics: { host: undefined, port: 8443 },
      insecureDiagnostics: false,
      setOptions: ["bootstrap-kubeadm.tokenTtl=15m"],
      notes: [
        "feature gate KubeadmBootstrapFormatIgnition=false is ignored: configs with the format ignition are supported",
      ],
    });
    expect(await of("Azure")).toMatchObject({ setOptions: ["infra-azure.apiServerILB=true"], logLevel: "info" });
    expect(await of("Elemental")).toMatchObject({
      diagnostics: { host: "127.0.0.1", port: 8080 },
      insecureDiagnostics: true,
      health: { host: undefined, port: 8081 },
    });
    expect(await of("RKE2 bootstrap")).toMatchObject({ concurrency: { "*": 10 } });
  });

  it("serve health checks over HTTP where probes of upstream's ask", async () => {
    const options = await parsed(["--providers=core", "--health-addr=127.0.0.1:0", "--diagnostics-address=off"]);
    const { promise, resolve } = Promise.withResolvers<string>();
    const say: View["say"] = ({ type, fields }) => {
      if (type === "health") resolve(String(fields?.["url"]));
    };
    const started = await world.start(options, { access: world.adminAccess, view: { ...silentView, say } });
    await started.manager.ready();
    const url = await promise;
    const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
    expect([await statusOf("/healthz"), await statusOf("/readyz"), await statusOf("/metrics")]).toEqual([
      200, 200, 404,
    ]);
    await started.stop();
  });
});
