import type { Clock } from "@capstan/contract";
import { type Fetched, httpGet } from "../network/http-get.ts";

export interface Ec2Network {
  readonly localAddress: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

export interface Ec2Data {
  readonly userData: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The version that is read, and those that are asked for first, newest first. */
const version = "2009-04-04";
const newerVersions = ["2021-03-23", "2018-09-24", "2016-09-02"];

/** As long as cloud-init waits for a metadata service. */
const waiting = { tries: 24, pauseMs: 5000 };

/** Reads metadata as cloud-init's source for EC2 does: looks for the service, its newest version, user data, and the whole tree. */
export const fetchEc2 = async (urls: readonly string[], network: Ec2Network): Promise<Ec2Data | undefined> => {
  const { clock, signal, print } = network;
  for (let attempt = 1; attempt <= waiting.tries; attempt += 1) {
    for (const url of urls) {
      const base = url.replace(/\/$/, "");
      const found = await get(`${base}/${version}/meta-data/instance-id`, network);
      if (found?.status === 200) return crawl(base, network);
      print(`${base}: ${found === undefined ? "no answer" : `HTTP ${found.status}`}`);
    }
    await clock.sleep(waiting.pauseMs, { signal });
  }
  print("no metadata service answered");
  return undefined;
};

const get = async (url: string, { localAddress, signal }: Ec2Network): Promise<Fetched | undefined> => {
  try {
    return await httpGet(url, { localAddress, signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
};

const crawl = async (base: string, network: Ec2Network): Promise<Ec2Data> => {
  for (const newer of newerVersions) await get(`${base}/${newer}/meta-data/instance-id`, network);
  const userData = await get(`${base}/${version}/user-data`, network);
  const metadata: Record<string, string> = {};
  await walk({ url: `${base}/${version}/meta-data/`, path: "", metadata, network });
  network.print(`read ${Object.keys(metadata).length} metadata of ${base}`);
  return { userData: userData?.status === 200 ? userData.text : "", metadata };
};

interface Walk {
  readonly url: string;
  readonly path: string;
  readonly metadata: Record<string, string>;
  readonly network: Ec2Network;
}

const walk = async ({ url, path, metadata, network }: Walk): Promise<void> => {
  const listed = await get(url, network);
  if (listed?.status !== 200) return;
  for (const name of listed.text.split("\n").filter((line) => line !== "")) {
    if (name.endsWith("/")) {
      await walk({ url: `${url}${name}`, path: `${path}${name}`, metadata, network });
      continue;
    }
    const leaf = await get(`${url}${name}`, network);
    if (leaf?.status === 200 && leaf.text !== "") metadata[`${path}${name}`] = leaf.text;
  }
};
