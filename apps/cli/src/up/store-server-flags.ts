import { InvalidArgumentError, Option } from "commander";
import type { StoreServerOptions } from "./up-options.ts";

const address = (value: string): string => {
  const url = URL.parse(value);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (isAddress && url.username === "" && url.password === "") return value;
  throw new InvalidArgumentError("must be an address such as https://store.example:8443.");
};

const listen = (value: string): NonNullable<StoreServerOptions["listen"]> => {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(digits) <= 65_535) return { host, port: Number(digits) };
  throw new InvalidArgumentError("must be a host and a port such as 0.0.0.0:8443.");
};

export const objectStoreAddressOption = (): Option =>
  new Option(
    "--object-store-address <url>",
    "URL at which machines reach the local object store, the default of clusters (default: loopback, for simulated machines)",
  ).argParser(address);

export const objectStoreListenOption = (): Option =>
  new Option(
    "--object-store-listen <host:port>",
    "address of that store (default: loopback, the previous port or a free one)",
  ).argParser(listen);
