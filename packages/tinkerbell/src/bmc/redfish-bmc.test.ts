import { Secret } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import type { PowerAction } from "./bmc.ts";
import type { JsonAnswer } from "./json-exchange.ts";
import { redfishBmc } from "./redfish-bmc.ts";

interface Board {
  power: string | null;
  /** The types of reset that it lists; default: it lists none. */
  readonly lists?: readonly string[];
  /** Responses to types of reset in place of 204. */
  readonly refuses?: Readonly<Record<string, number>>;
  /** The response to a login. Default: 201. */
  readonly login?: number;
  /** The number of times that it says On after it was told to switch off. */
  slow?: number;
}

const session = "/redfish/v1/SessionService/Sessions";
const system = "/redfish/v1/Systems/1";

/** A board as a vendor's answers to requests, and what it was asked. */
const scene = (board: Board) => {
  const clock = fakeClock();
  const asked: string[] = [];
  const authorized: string[] = [];
  const answer = (status: number, body?: object, headers: JsonAnswer["headers"] = {}): JsonAnswer => ({
    status,
    headers,
    body,
  });
  const read = (): string | null => {
    if ((board.slow ?? 0) > 0) board.slow = board.slow! - 1;
    else if (board.slow === 0) board.power = "Off";
    return board.power;
  };
  const reset = (type: string): JsonAnswer => {
    asked.push(type);
    const refused = board.refuses?.[type];
    if (refused !== undefined) return answer(refused, { error: { message: "not supported" } });
    if (type === "ForceOff") board.slow ??= 0;
    else {
      board.power = "On";
      delete board.slow;
    }
    return answer(204);
  };
  const bmc = redfishBmc({
    url: "https://10.0.0.9:443",
    username: new Secret("admin"),
    password: new Secret("secret"),
    useBasicAuth: false,
    systemName: undefined,
    place: "Task lab/t, spec.connection",
    clock,
    signal: new AbortController().signal,
    exchange: {
      close: () => Promise.resolve(),
      send: async ({ body = "", headers = {}, method, url }) => {
        const { pathname } = new URL(url);
        const token = headers["x-auth-token"] ?? headers["authorization"];
        if (pathname !== session) authorized.push(String(token));
        const isLogin = pathname === session && method === "POST";
        if (isLogin) return answer(board.login ?? 201, {}, { "x-auth-token": "token" });
        if (pathname === "/redfish/v1/Systems") return answer(200, { Members: [{ "@odata.id": system }] });
        if (pathname !== system) return reset((JSON.parse(body) as { readonly ResetType: string }).ResetType);
        const listed = board.lists && { "ResetType@Redfish.AllowableValues": board.lists };
        const target = "/redfish/v1/Systems/1/Actions/Reset.Here";
        return answer(200, { PowerState: read(), Actions: { "#ComputerSystem.Reset": { target, ...listed } } });
      },
    },
  });
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    const end = (): void => void (over = true);
    work.then(end, end);
    await clock.advanceUntil(() => over, { stepMs: 500 });
    return work;
  };
  const setPower = (action: PowerAction): Promise<void> => run(bmc.setPower(action));
  return { asked, authorized, bmc, run, setPower };
};

it.each([
  ["that has them", {}, ["PowerCycle"]],
  ["that says it does not serve them", { refuses: { PowerCycle: 501 } }, ["PowerCycle", "ForceOff", "On"]],
  ["that finds the value wrong", { refuses: { PowerCycle: 400 } }, ["PowerCycle", "ForceOff", "On"]],
  ["that does not list them", { lists: ["On", "ForceOff"] }, ["ForceOff", "On"]],
  ["that takes its time to switch off", { lists: ["On", "ForceOff"], slow: 9 }, ["ForceOff", "On"]],
])("cycles the power of a board %s", async (_, board, expected) => {
  const { asked, setPower } = scene({ power: "On", ...board });
  await setPower("cycle");
  expect(asked).toEqual(expected);
});

it("does not switch on again what was not switched off in time", async () => {
  const { asked, setPower } = scene({ power: "On", lists: ["On", "ForceOff"], slow: 1e6 });
  await expect(setPower("cycle")).rejects.toMatchObject({
    code: "tink.bmc_unreachable",
    message: expect.stringContaining("is not off 2 minutes after ForceOff"),
  });
  expect(asked).toEqual(["ForceOff"]);
});

it("sends what the board lists for the same purpose", async () => {
  const { asked, setPower } = scene({
    power: "On",
    lists: ["ForceOn", "ForceOff", "PushPowerButton", "GracefulRestart"],
  });
  await setPower("reset");
  await setPower("soft");
  expect(asked).toEqual(["GracefulRestart", "PushPowerButton"]);
});

it.each([404, 405, 501])("sends the credentials with every request to a board without sessions (%i)", async (login) => {
  const { authorized, bmc, run } = scene({ power: "Off", login });
  expect(await run(bmc.powerState())).toBe("off");
  expect(new Set(authorized)).toEqual(new Set([`Basic ${btoa("admin:secret")}`]));
});

it("does not take other failures of a login for a missing service", async () => {
  const { bmc, run } = scene({ power: "Off", login: 401 });
  await expect(run(bmc.powerState())).rejects.toMatchObject({ code: "tink.bmc_unauthorized" });
});

it.each([[null], ["Unknown"], ["PoweringOff"]])("a board that says %j is neither on nor off", async (power) => {
  const { asked, bmc, run, setPower } = scene({ power });
  expect(await run(bmc.powerState())).toBe("unknown");
  await setPower("off");
  expect(asked).toEqual(["ForceOff"]);
});
