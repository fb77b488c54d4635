// ONNX Runtime's int8 on one thread: node ort.js MODULES int8.onnx VOCAB LENGTH... prints the best rate of each length, in pairs for
// each second of processor time, alone and with as many together as make 256 tokens.
const [modules, graph, vocab, ...lengths] = process.argv.slice(2);
const ort = require(modules + '/onnxruntime-node');

(async () => {
  const session = await ort.InferenceSession.create(graph, {
    intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', // The graph is made of fused operations already; a higher level puts a slower one in the place of two.
    graphOptimizationLevel: 'basic',
  });
  for (const n of lengths.map(Number)) {
    let best = 0;
    for (const batch of new Set([1, Math.max(1, 256 / n)])) {
      const ids = BigInt64Array.from({ length: n * batch }, (_, i) => BigInt((1000 + 37 * (i % n)) % Number(vocab)));
      const types = BigInt64Array.from({ length: n * batch }, (_, i) => (i % n < n / 2 ? 0n : 1n));
      const places = BigInt64Array.from({ length: n }, (_, i) => BigInt(i));
      const feeds = {
        input_ids: new ort.Tensor('int64', ids, [batch, n]),
        token_type_ids: new ort.Tensor('int64', types, [batch, n]),
        position_ids: new ort.Tensor('int64', places, [n]),
      };
      await session.run(feeds);
      const times = Math.max(1, Math.round(2048 / n / batch));
      for (let round = 0; round < 5; round++) {
        const from = process.cpuUsage();
        for (let i = 0; i < times; i++) await session.run(feeds);
        const used = process.cpuUsage(from);
        best = Math.max(best, (times * batch) / ((used.user + used.system) / 1e6));
      }
    }
    console.log(n, best.toFixed(1));
  }
})();
