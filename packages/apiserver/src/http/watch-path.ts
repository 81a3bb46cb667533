import { requestInfo } from "./request-info.ts";

const watchPath = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch(\/.+)$/;

/**
 * The URL of the list that a path of the older form watches, such as `/api/v1/watch/namespaces/default/configmaps`, with `watch=true`; one
 * object of a list is watched by its name. Other URLs are answered as they are.
 */
export const withoutWatchPath = (method: string, url: URL): URL => {
  const [, version, rest] = watchPath.exec(url.pathname) ?? [];
  if (method !== "GET" || version === undefined || rest === undefined) return url;
  const list = new URL(url);
  list.pathname = `${version}${rest}`;
  const { name, subresource } = requestInfo(method, list);
  if (subresource !== "") return url;
  list.searchParams.set("watch", "true");
  if (name !== "") {
    list.pathname = list.pathname.replace(/\/[^/]+\/?$/, "");
    const selectors = [`metadata.name=${name}`, list.searchParams.get("fieldSelector") ?? ""];
    list.searchParams.set("fieldSelector", selectors.filter((selector) => selector !== "").join(","));
  }
  return list;
};
