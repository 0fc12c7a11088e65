# A small convolutional network on pictures of the points. More items are made from those there are: turned,
# moved, resized and mirrored shapes keep their label.
import time

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
begin = time.time()
BINS, STEPS, BATCH = 48, 700, 128
train = torch.from_numpy(np.load("data/train_data.npy"))
labels = torch.from_numpy(np.load("data/train_labels.npy"))
test = torch.from_numpy(np.load("data/test_data.npy"))


def pictures(points):
    # (N, 512, 2) -> (N, 1, BINS, BINS): how many points in each cell, bilinear
    at = points * (BINS - 1)
    inside = ((points >= 0) & (points <= 1)).all(-1).float()
    low = at.floor().clamp(0, BINS - 2)
    part = (at - low).clamp(0, 1)
    low = low.long()
    grid = torch.zeros(len(points), BINS * BINS)
    for dx in (0, 1):
        for dy in (0, 1):
            weight = (part[..., 0] if dx else 1 - part[..., 0]) * (part[..., 1] if dy else 1 - part[..., 1])
            grid.scatter_add_(1, (low[..., 1] + dy) * BINS + low[..., 0] + dx, weight * inside)
    return grid.view(-1, 1, BINS, BINS).sqrt()


def varied(points):
    n = len(points)
    angle = torch.rand(n) * 2 * torch.pi
    size = torch.exp(torch.randn(n) * 0.12)
    mirror = torch.where(torch.rand(n) < 0.5, -1.0, 1.0)
    cos, sin = angle.cos() * size, angle.sin() * size
    x, y = points[..., 0] - 0.5, (points[..., 1] - 0.5) * mirror[:, None]
    turned = torch.stack([x * cos[:, None] - y * sin[:, None], x * sin[:, None] + y * cos[:, None]], -1)
    return turned + 0.5 + (torch.rand(n, 1, 2) - 0.5) * 0.3


def block(inner, outer):
    return [nn.Conv2d(inner, outer, 3, padding=1), nn.BatchNorm2d(outer), nn.ReLU(), nn.MaxPool2d(2)]


net = nn.Sequential(
    nn.Conv2d(1, 16, 5, padding=2), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    *block(16, 48), *block(48, 96), *block(96, 128), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Dropout(0.2),
    nn.Linear(128, 5),
)  # fmt: skip
optimizer = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=0.02)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, STEPS)
for step in range(STEPS):
    chosen = torch.randint(0, len(train), (BATCH,))
    loss = nn.functional.cross_entropy(
        net(pictures(varied(train[chosen]))), labels[chosen], label_smoothing=0.05
    )
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    if step % 100 == 0:
        print(step, f"{loss.item():.3f}", f"{time.time() - begin:.0f} s", flush=True)
net.eval()
with torch.no_grad():
    votes = sum(net(pictures(varied(test))).softmax(1) for _ in range(8)) + 8 * net(pictures(test)).softmax(1)
np.savetxt("results/test_preds.txt", votes.argmax(1).numpy(), fmt="%d")
