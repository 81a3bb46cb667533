import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rfc3339, silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { freePort } from "@capstan/testing";
import { afterAll, describe, expect, it } from "vitest";
import { startCommand, type CommandEvent } from "./command-process.ts";
import { createProgram } from "../src/program.ts";
import { runCommand } from "../src/run-command.ts";
import { performSimulate } from "../src/simulate/run-simulate.ts";
import type { SimulateOptions } from "../src/simulate/simulate-command.ts";
import { cloudFolder } from "../src/simulate/start-cloud.ts";
import { jsonView } from "../src/view/view.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-simulate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Running extends AsyncDisposable {
  readonly events: readonly CommandEvent[];
  readonly ended: Promise<number>;
  /** The first event that is so; rejects when the command ends without one. */
  until(isIt: (event: CommandEvent) => boolean): Promise<CommandEvent>;
  stop(): Promise<number>;
}

/** Runs `capstan simulate` in this process, with JSON output. */
const simulate = async (...args: readonly string[]): Promise<Running> => {
  const given: SimulateOptions[] = [];
  const program = createProgram({ simulate: async (options) => given.push(options) });
  await program.run(["simulate", ...args, "-o", "json"]);
  const [options] = given;
  if (options === undefined) throw new Error(`these are no arguments of capstan simulate: ${args.join(" ")}`);
  const events: CommandEvent[] = [];
  const write = (line: string): void => void events.push(JSON.parse(line) as CommandEvent);
  const view = jsonView({ write }, () => rfc3339(systemClock.now()));
  const interruption = new AbortController();
  const { signal } = interruption;
  const environment = { clock: systemClock, random: cryptoRandom, log: silentLogger, view, signal };
  const ended = runCommand({ failures: { view, output: "json" } }, async () => {
    await performSimulate(options, environment);
    return 0;
  });
  const stop = (): Promise<number> => {
    interruption.abort();
    return ended;
  };
  let isOver = false;
  void ended.finally(() => (isOver = true));
  return {
    events,
    ended,
    until: async (isIt) => {
      await expect.poll(() => isOver || events.some(isIt), { interval: 5 }).toBe(true);
      const found = events.find(isIt);
      if (found === undefined) throw new Error(`it ended: ${JSON.stringify(events)}`);
      return found;
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
};

const ready = ({ type }: CommandEvent): boolean => type === "simulation";

const token = "simulated-token";

/** Asks a simulated Linode. */
const linode = async (url: string, path: string, body?: object): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${url}/v4/${path}`, init);
  expect(answer.status).toBe(200);
  return answer.json();
};

const instance = { region: "us-ord", type: "g6-standard-1", image: "linode/ubuntu22.04", root_pass: "a-Long-1-pass" };

const get = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe("capstan simulate", () => {
  it("serves on the port that was asked for, writes what its clients need, and goes on with what it kept", async () => {
    const port = await freePort();
    const environment = join(folder, "linode.json");
    writeFileSync(environment, "stale");
    const args = [
      "linode",
      "--port",
      `${port}`,
      "--data-dir",
      join(folder, "data"),
      "--write-environment",
      environment,
    ];
    await using first = startCommand(["simulate", ...args]);
    const said = await first.until(ready);
    const url = `http://127.0.0.1:${port}`;
    expect(said).toMatchObject({ urls: { linode: url }, control: `${url}/_simulator`, environment });
    expect(statSync(environment).mode & 0o777).toBe(0o600);
    const variables = JSON.parse(readFileSync(environment, "utf8")) as Record<string, string>;
    expect(variables).toMatchObject({ LINODE_URL: url, LINODE_TOKEN: token });
    await linode(url, "linode/instances", { ...instance, label: "kept" });
    expect(await first.stop()).toBe(0);
    expect(first.events.at(-1)?.type).toBe("stopping");

    await using second = await simulate(...args.slice(0, 1), ...args.slice(3, 5));
    expect(await second.until(ready)).toMatchObject({ urls: { linode: url } });
    expect(await linode(url, "linode/instances")).toMatchObject({ data: [{ label: "kept" }] });
    expect(await second.stop()).toBe(0);
  });

  it("plans faults of each of its services, limits requests and hurries, before it says where it is", async () => {
    const faults = ["--fault", "POST /linode/instances 503 x3", "--fault", "object-storage PUT /** reset"];
    const limits = ["--speed", "20", "--throttle", "deletes=0.5,reads=100"];
    await using running = await simulate("linode", "--in-memory", ...limits, ...faults);
    const { control, environment } = (await running.until(ready)) as CommandEvent &
      Record<"control" | "environment", string>;
    expect(await get(`${control}/faults`)).toMatchObject({ items: [{ method: "POST", times: 3 }] });
    expect(await get(`${control}/faults?service=object-storage`)).toMatchObject({ items: [{ method: "PUT" }] });
    expect(await get(`${control}/speed`)).toEqual({ factor: 20 });
    expect(await get(`${control}/throttle`)).toEqual({ deletesPerSecond: 0.5, readsPerSecond: 100 });
    expect(JSON.parse(readFileSync(environment, "utf8"))).toMatchObject({ LINODE_TOKEN: "simulated-token" });
    const forShells = environment.replace(/json$/, "env");
    expect(readFileSync(forShells, "utf8")).toContain("LINODE_TOKEN='simulated-token'\n");
    expect(await running.stop()).toBe(0);
    expect(existsSync(environment)).toBe(false);
  });

  it("takes the token that was asked for, and no other", async () => {
    await using running = await simulate("linode", "--in-memory", "--token", "mine");
    const { urls, environment } = (await running.until(ready)) as CommandEvent & {
      readonly urls: Readonly<Record<string, string>>;
      readonly environment: string;
    };
    expect(JSON.parse(readFileSync(environment, "utf8"))).toMatchObject({ LINODE_TOKEN: "mine" });
    const status = async (given: string): Promise<number> =>
      (await fetch(`${urls["linode"]}/v4/account`, { headers: { authorization: `Bearer ${given}` } })).status;
    expect([await status("mine"), await status(token)]).toEqual([200, 401]);
    expect(await running.stop()).toBe(0);
  });

  it("shows what the consoles of its machines show", async () => {
    await using running = await simulate("linode", "--in-memory", "--console");
    const { urls } = (await running.until(ready)) as CommandEvent & { readonly urls: Readonly<Record<string, string>> };
    const user_data = Buffer.from("#cloud-config\nruncmd: [echo it-runs]\n").toString("base64");
    const talker = { ...instance, label: "talker", booted: true, metadata: { user_data } };
    await linode(urls["linode"] ?? "", "linode/instances", talker);
    const { name, message } = await running.until(({ line }) => String(line).includes("it-runs"));
    expect(name).toBe("talker");
    expect(message).toMatch(/^talker: .*it-runs/);
    expect(await running.stop()).toBe(0);
  });

  it.each([
    [["nowhere"], "module.not_found", /^simulate nowhere: cannot find package/],
    [
      ["linode", "--in-memory", "--fault", "POST / explode"],
      "simulate.flag_refused",
      /^--fault "POST \/ explode": .*explode is neither a status nor an action/,
    ],
    [
      ["linode", "--in-memory", "--fault", "disks GET / 503"],
      "simulate.flag_refused",
      /There is no service disks; there are api, object-storage/,
    ],
    [
      [join(import.meta.dirname, "acme/simulation.ts"), "--in-memory", "--speed", "2"],
      "simulate.no_control",
      /^--speed 2: the simulated cloud acme has no control interface/,
    ],
    [["linode", "--in-memory", "--seed", "nowhere.yaml"], "up.seed_unreadable", /^--seed nowhere\.yaml: no such file;/],
    [
      ["linode", "--in-memory", "--write-environment", "/nowhere/x"],
      "file.unwritable",
      /^--write-environment \/nowhere\/x: there is no folder \/nowhere;/,
    ],
  ])("%j is refused, and nothing stays", async (args, code, words) => {
    await using running = await simulate(...args);
    expect(await running.ended).toBe(1);
    expect(running.events.at(-1)).toMatchObject({
      type: "error",
      code,
      message: expect.stringMatching(words) as string,
    });
    expect(running.events.filter(ready)).toEqual([]);
  });

  it("keeps each cloud in a folder of its own", () => {
    const folders = ["linode", "@acme/capstan-acme", "./test/my-cloud.ts"].map((cloud) => cloudFolder("/data", cloud));
    expect(folders).toEqual(["/data/simulate/linode", "/data/simulate/capstan-acme", "/data/simulate/my-cloud"]);
  });
});
