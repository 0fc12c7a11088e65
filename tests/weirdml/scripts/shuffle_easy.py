# A network tells from a patch, and from what the other patches look like, where it belongs; another one, whether
# two patches touch; then the best order.
import numpy as np
import torch
from torch import nn

# include solve.py

torch.manual_seed(0)
train, labels, test = (np.load(f"data/{name}.npy") for name in ("train_data", "train_labels", "test_data"))


def mirrored(items, places):
    # a picture seen in a mirror is as good a picture
    return items[..., ::-1].copy(), places // 3 * 3 + 2 - places % 3


flipped, flipped_labels = mirrored(train, labels)
x = torch.from_numpy(np.concatenate([train, flipped])).reshape(-1, 9, 81)
y = torch.from_numpy(np.concatenate([labels, flipped_labels]))


class Place(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Sequential(nn.Linear(81, 160), nn.ReLU(), nn.Linear(160, 96), nn.ReLU())
        self.all = nn.Sequential(nn.Linear(96 * 2, 160), nn.ReLU(), nn.Dropout(0.2), nn.Linear(160, 9))

    def forward(self, items):
        each = self.patch(items + 0.03 * torch.randn_like(items) if self.training else items)
        rest = each.mean(1, keepdim=True).expand_as(each)
        return self.all(torch.cat([each, rest], -1)).log_softmax(-1)


class Touch(nn.Module):
    # from the two columns on each side of the seam
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(9 * 6, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, left, right):
        a, b = left[..., -2:].flatten(-2), right[..., :2].flatten(-2)
        gap = left[..., -1] - right[..., 0]
        flat = torch.cat([a, b, gap, gap.abs()], -1)
        return self.net(flat).squeeze(-1)


def pairs(items):
    # (N, 9, 9, 9) -> (N, 9, 9): the network's word on each pair, right and below
    n = len(items)
    found = []
    for each in (items, items.transpose(-1, -2)):
        left = each[:, :, None].expand(n, 9, 9, 9, 9)
        right = each[:, None].expand(n, 9, 9, 9, 9)
        found.append(touch(left, right))
    return found


place, touch = Place(), Touch()
optimizer = torch.optim.AdamW([*place.parameters(), *touch.parameters()], 2e-3, weight_decay=0.01)
EPOCHS, BATCH = 24, 100
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, EPOCHS * (len(x) // BATCH))
for epoch in range(EPOCHS):
    for chosen in torch.randperm(len(x)).split(BATCH):
        items, where = x[chosen], y[chosen]
        first, second = where[:, :, None], where[:, None]
        is_right = ((second == first + 1) & (first % 3 < 2)).float()
        is_below = (second == first + 3).float()
        right, below = pairs(items.view(-1, 9, 9, 9))
        loss = nn.functional.nll_loss(place(items).flatten(0, 1), where.flatten())
        for told, truth in ((right, is_right), (below, is_below)):
            loss = loss + nn.functional.binary_cross_entropy_with_logits(told, truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    if epoch % 4 == 0:
        print(epoch, f"{loss.item():.3f}", flush=True)

place.eval()
with torch.no_grad():
    items = torch.from_numpy(test)
    unary = place(items.reshape(-1, 9, 81)).numpy()
    right, below = (each.numpy() for each in pairs(items))
np.savetxt("results/test_preds.txt", solve(unary, right, below), fmt="%d")
