import { expect, it } from "vitest";
import { quantileOf, queueWaits } from "./queue-waits.ts";

it("reads the waits of every controller from the text of metrics", () => {
  const text = [
    "# TYPE workqueue_queue_duration_seconds histogram",
    'workqueue_queue_duration_seconds_bucket{controller="machine",name="machine",le="0.1"} 90',
    'workqueue_queue_duration_seconds_bucket{le="1",name="machine",controller="machine"} 100',
    'workqueue_queue_duration_seconds_bucket{controller="machine",name="machine",le="+Inf"} 100',
    'workqueue_queue_duration_seconds_sum{controller="machine",name="machine"} 4.2',
    'workqueue_work_duration_seconds_bucket{controller="machine",name="machine",le="0.1"} 7',
    'workqueue_queue_duration_seconds_bucket{controller="cluster",name="cluster",le="+Inf"} 0',
  ].join("\n");
  expect(queueWaits([text])).toEqual(
    new Map([
      [
        "machine",
        new Map([
          [0.1, 90],
          [1, 100],
          [Number.POSITIVE_INFINITY, 100],
        ]),
      ],
      ["cluster", new Map([[Number.POSITIVE_INFINITY, 0]])],
    ]),
  );
});

it("adds the waits of a controller that several managers run", () => {
  const line = 'workqueue_queue_duration_seconds_bucket{controller="clustercache",le="1"}';
  expect(queueWaits([`${line} 3`, `${line} 4`]).get("clustercache")).toEqual(new Map([[1, 7]]));
});

it.each([
  { buckets: [], share: 0.95, value: undefined },
  { buckets: [[1, 0]], share: 0.95, value: undefined },
  { buckets: [[1, 10]], share: 0.5, value: 0.5 },
  {
    buckets: [
      [1, 90],
      [2, 100],
    ],
    share: 0.95,
    value: 1.5,
  },
  {
    buckets: [
      [2, 100],
      [1, 50],
    ],
    share: 0.5,
    value: 1,
  },
  {
    buckets: [
      [1, 10],
      [Number.POSITIVE_INFINITY, 100],
    ],
    share: 0.95,
    value: 1,
  },
])("the $share quantile of $buckets is $value", ({ buckets, share, value }) => {
  expect(quantileOf(new Map(buckets as [number, number][]), share)).toBe(value);
});
