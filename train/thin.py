"""Takes those intermediate values out of an encoder's layers that add the least, and makes the others stand in for them."""
import copy

import torch
import torch.nn.functional as F

from model import Linear8

SOME = 64  # values that go at a time


@torch.no_grad()
def thin(model, keep, readings):
    """A copy of a model with keep intermediate values a layer; readings (ids, types, lengths) tell what a value adds."""
    out = copy.deepcopy(model)
    for i, (layer, g) in enumerate(zip(out.layers, products(model, readings))):
        w = F.pad(layer.down.weight, (0, 1)).double()
        size = ((w @ g) * w).sum(1, keepdim=True).sqrt()  # of what they add to a place's values: those that are always large count as much as the others
        stay, down = without_least(g, w / size, keep)
        off = w / size
        off[:, stay] -= down[:, :-1]
        off[:, -1] -= down[:, -1]
        print(f"layer {i}: {((off @ g) * off).sum(1).mean():.4f} of what its values add is lost", flush=True)
        down *= size
        up, bias, hidden = layer.up, layer.down.bias, len(w)
        layer.up, layer.down = Linear8(hidden, keep).to(w.device), Linear8(keep, hidden).to(w.device)
        layer.up.weight.copy_(up.weight[stay])
        layer.up.bias.copy_(up.bias[stay])
        layer.down.weight.copy_(down[:, :-1])
        layer.down.bias.copy_(bias + down[:, -1])
    return out


def products(model, readings):
    """For each layer the sums of its values' products with each other, and with one, over all places of the readings."""
    width = model.layers[0].up.out_features
    out = [torch.zeros(width + 1, width + 1, device=model.pos.weight.device) for _ in model.layers]
    training, precision = model.training, torch.get_float32_matmul_precision()
    model.eval()
    for ids, types, length in readings:
        inside = torch.arange(ids.shape[1], device=ids.device)[None] < length[:, None]

        def see(i, x):
            h = F.pad(F.gelu(x)[inside], (0, 1), value=1.0)
            torch.set_float32_matmul_precision("highest")
            out[i].addmm_(h.T, h)
            torch.set_float32_matmul_precision(precision)
        hooks = [layer.up.register_forward_hook(lambda _, __, x, i=i: see(i, x)) for i, layer in enumerate(model.layers)]
        model(ids, types, length)
        for hook in hooks:
            hook.remove()
    model.train(training)
    return [g.double() for g in out]


def without_least(g, w, keep):
    """Which values stay, and the weights that then come nearest to what all added, the last of them for one.

    Some go at a time, those that the others can stand in for best, and these take over by least squares.
    """
    size = g.diagonal()[:-1]
    slack = torch.full_like(g[0], 1e-2 * size.median().item())
    slack[-1] = 1e-6 * g[-1, -1]
    inverse, w = torch.linalg.inv(g + torch.diag(slack)), w.clone()
    there = torch.ones(len(g), dtype=torch.bool, device=g.device)
    left = len(size)
    while left > keep:
        harm = w.square().sum(0) / inverse.diagonal()
        harm[~there], harm[-1] = torch.inf, torch.inf
        go = torch.topk(harm, min(SOME, left - keep), largest=False).indices
        share = torch.linalg.solve(inverse[go][:, go], inverse[go])
        w -= w[:, go] @ share
        inverse -= inverse[:, go] @ share
        there[go] = False
        left -= len(go)
    stay = there[:-1].nonzero()[:, 0]
    return stay, w[:, there]
