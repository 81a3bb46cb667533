// What Capstan uses of undici, by the files it is in: the whole library brings a browser's fetch, caches and mocks, which take 12 MiB.
import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import global from "undici/lib/global.js";

Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, Pool, ProxyAgent };

/** As undici's own, for an absolute URL. */
export const request = (url, { dispatcher = global.getGlobalDispatcher(), ...options } = {}) => {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ method: "GET", ...options, origin, path: `${pathname}${search}` });
};
